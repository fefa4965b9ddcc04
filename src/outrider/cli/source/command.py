"""`outrider source`: the watched sites."""

from typing import Annotated

import typer

from outrider.cli.commands import submenu
from outrider.cli.database import has_database, open_database
from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import console, fail, plain, print_json
from outrider.cli.running import WRONG_USAGE, load_settings, run
from outrider.cli.source.add import add, edit
from outrider.cli.source.feeds import feeds
from outrider.cli.source.files import export, import_
from outrider.cli.source.news import news
from outrider.cli.source.report import as_json, parts_as_json, show_list, show_source
from outrider.cli.source.sync import sync
from outrider.cli.source.trial import try_out
from outrider.cli.use_case import change
from outrider.jobs.model import Job
from outrider.jobs.store import JobStore
from outrider.services.as_json import as_json as result_as_json
from outrider.services.jobs import details_of
from outrider.services.sources import ChangedSource, disable_source, enable_source, remove_source
from outrider.sources.model import ChannelLine, Filter, Mode, SourceLine
from outrider.sources.store import SourceStore
from outrider.watch.discovery_stats import MethodStats, discovery_stats

Named = Annotated[
    str, typer.Argument(metavar="SOURCE", help="Its name, number or address.", show_default=False)
]


def list_(
    search: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Only sources whose name, address or label contains this.",
            show_default=False,
        ),
    ] = "",
    mode: Annotated[Mode | None, typer.Option(help="Only sources in this mode.", show_default=False)] = None,
    disabled: Annotated[bool, typer.Option("--disabled", help="Only disabled sources.")] = False,
    enabled: Annotated[bool, typer.Option("--enabled", help="Only enabled sources.")] = False,
    feed_active: Annotated[
        bool | None,
        typer.Option(
            "--feed-active/--no-feed-active",
            help="Only sources with, or without, a working feed.",
            show_default=False,
        ),
    ] = None,
    silent: Annotated[
        bool, typer.Option("--silent", help="Only sources in mode feed without a feed or sitemap.")
    ] = False,
    failing: Annotated[
        bool, typer.Option("--failing", help="Only sources with a feed or sitemap that failed last time.")
    ] = False,
    limit: Limit = 500,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the watched sites."""
    if enabled and disabled:
        fail("choose one of --enabled and --disabled", WRONG_USAGE)
    loaded = load_settings(config, data=data)
    wanted = Filter(
        search,
        False if disabled else True if enabled else None,
        mode,
        feed_active,
        silent=silent,
        failing=failing,
        limit=limit,
        offset=offset,
    )

    async def work() -> tuple[list[SourceLine], int]:
        if not has_database(loaded):
            return [], 0
        async with open_database(loaded) as database, database.connection() as db:
            return await SourceStore().page(db, wanted)

    found, total = run(work())
    if json:
        print_json({"total": total, "sources": [as_json(each) for each in found]})
    else:
        show_list(found, total, wanted)


def show(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show one source: its fields, its feeds and sitemaps, and how its articles were found."""
    loaded = load_settings(config, data=data)

    async def work() -> tuple[SourceLine, list[ChannelLine], list[MethodStats], Job | None]:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            store = SourceStore()
            source_id = (await store.find(db, named)).source_id
            return (
                await store.listed(db, source_id),
                await store.channels(db, source_id),
                await discovery_stats(db, source_id),
                await JobStore().looking_after(db, source_id),
            )

    listed, channels, stats_by_method, job = run(work())
    if json:
        job_json = None if job is None else result_as_json(details_of(job, listed.source.name))
        print_json(as_json(listed) | parts_as_json(channels, stats_by_method) | {"job": job_json})
    else:
        show_source(listed, channels, stats_by_method, job)


def enable(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Watch a disabled source again; its queued URLs continue."""
    loaded = load_settings(config, data=data)
    _tell(change(loaded, lambda db: enable_source(db, named, loaded.settings.frontier)), json)


def disable(
    named: Named,
    reason: Annotated[str, typer.Option(help="Why it is disabled, for later readers.", show_default=False)],
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Send no requests for a source. Its data is kept, and its queued URLs wait."""
    if not reason.strip():
        fail("give a --reason, for later readers", WRONG_USAGE)
    loaded = load_settings(config, data=data)
    _tell(change(loaded, lambda db: disable_source(db, named, reason, loaded.settings.frontier)), json)


def remove(
    named: Named,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Stop watching a source. Its pages and its history stay."""
    if not yes and not typer.confirm(f"Stop watching {named}?"):
        raise typer.Exit
    loaded = load_settings(config, data=data)
    _tell(change(loaded, lambda db: remove_source(db, named, loaded.settings.frontier)), json)


def _tell(changed: ChangedSource, json: bool) -> None:
    if json:
        print_json(result_as_json(changed))
    else:
        console().print(plain(f"{changed.name} is {changed.state.value}."))


source = submenu(
    "source",
    {
        "add": add,
        "list": list_,
        "show": show,
        "edit": edit,
        "feeds": feeds,
        "news": news,
        "enable": enable,
        "disable": disable,
        "remove": remove,
        "test": try_out,
        "import": import_,
        "export": export,
        "sync": sync,
    },
)
