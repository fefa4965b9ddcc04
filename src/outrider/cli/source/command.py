"""`outrider source`: the watched sites."""

from typing import Annotated

import typer

from outrider.cli.commands import submenu
from outrider.cli.database import has_database
from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import console, fail, plain, print_json
from outrider.cli.running import WRONG_USAGE, load_settings
from outrider.cli.source.add import add, edit
from outrider.cli.source.feeds import feeds
from outrider.cli.source.files import export, import_
from outrider.cli.source.news import news
from outrider.cli.source.report import show_details, show_list
from outrider.cli.source.sync import sync
from outrider.cli.source.trial import try_out
from outrider.cli.use_case import call, change
from outrider.remote import sources as remote_sources
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import ListPage, PageRequest
from outrider.services.sources.lists import ListedSource, list_sources, show_source
from outrider.services.sources.sources import ChangedSource, disable_source, enable_source, remove_source
from outrider.sources.model import Mode, SourceFilter

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
    wanted = SourceFilter(
        search,
        False if disabled else True if enabled else None,
        mode,
        feed_active,
        silent=silent,
        failing=failing,
    )
    found: ListPage[ListedSource] = ListPage([], 0, limit, offset)
    if has_database(loaded):
        page = PageRequest(limit, offset)
        found = call(
            loaded,
            lambda db: list_sources(db, wanted, page),
            remote=lambda server: remote_sources.list_sources(server, wanted, page),
            may_create=True,
        )
    if json:
        print_json(list_as_json(found, "sources"))
    else:
        show_list(found, is_narrow=wanted.is_narrow)


def show(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Show one source: its fields, its feeds and sitemaps, and how its articles were found."""
    loaded = load_settings(config, data=data)

    found = call(
        loaded,
        lambda db: show_source(db, named),
        remote=lambda server: remote_sources.show_source(server, named),
    )
    if json:
        print_json(as_json(found))
    else:
        show_details(found)


def enable(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Watch a disabled source again; its queued URLs continue."""
    loaded = load_settings(config, data=data)
    done = change(
        loaded,
        lambda db: enable_source(db, named, loaded.settings.frontier),
        remote=lambda server: remote_sources.enable_source(server, named),
    )
    _tell(done, json)


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
    done = change(
        loaded,
        lambda db: disable_source(db, named, reason, loaded.settings.frontier),
        remote=lambda server: remote_sources.disable_source(server, named, reason),
    )
    _tell(done, json)


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
    done = change(
        loaded,
        lambda db: remove_source(db, named, loaded.settings.frontier),
        remote=lambda server: remote_sources.remove_source(server, named),
    )
    _tell(done, json)


def _tell(changed: ChangedSource, json: bool) -> None:
    if json:
        print_json(as_json(changed))
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
