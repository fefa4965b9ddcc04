"""`outrider discovered`: list links from watched sources to other sites, and decide about them."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from outrider.cli.commands import submenu
from outrider.cli.discovered.report import show_domains, show_links
from outrider.cli.options import After, Config, Data, DryRun, Json, Limit, Offset
from outrider.cli.output import console, plain, print_json
from outrider.cli.running import load_settings
from outrider.cli.use_case import call, change
from outrider.services.as_json import as_json, list_as_json
from outrider.services.discovered.lists import decide_about, list_domains, list_links, promote_to_source
from outrider.services.paging import PageRequest
from outrider.sources.model import Mode
from outrider.watch.discovery.outside_links import (
    UNDECIDED,
    DomainFilter,
    DomainState,
    LinkFilter,
    LinkStatus,
)

Named = Annotated[
    str, typer.Argument(metavar="DOMAIN|URL", help="A domain, or one discovered link.", show_default=False)
]
Search = Annotated[
    str, typer.Option(metavar="TEXT", help="Only addresses that contain this.", show_default=False)
]


def domains(
    state: Annotated[
        list[DomainState] | None,
        typer.Option(help="Only domains in this state. [default: undecided]", show_default=False),
    ] = None,
    search: Search = "",
    min_score: Annotated[int, typer.Option(min=0, max=100, help="Least score.")] = 0,
    hide_watched: Annotated[
        bool, typer.Option("--hide-watched", help="Without domains that a source covers.")
    ] = False,
    limit: Limit = 25,
    offset: Offset = 0,
    after: After = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the domains that links led to, the most promising first."""
    loaded = load_settings(config, data=data)
    wanted = DomainFilter(state or UNDECIDED, search, min_score, hide_watched)
    now = datetime.now(UTC)
    found = call(loaded, lambda db: list_domains(db, wanted, PageRequest(limit, offset, after), now))
    if json:
        print_json(list_as_json(found, "domains"))
    else:
        show_domains(found, now)


def links(
    domain: Annotated[
        str | None, typer.Option(metavar="DOMAIN", help="Only links to this domain.", show_default=False)
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only links of this source.", show_default=False)
    ] = None,
    status: Annotated[LinkStatus | None, typer.Option(help="Only those.", show_default=False)] = None,
    search: Search = "",
    limit: Limit = 25,
    offset: Offset = 0,
    after: After = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the links, the latest first."""
    loaded = load_settings(config, data=data)
    wanted = LinkFilter(status, domain, source, search)
    found = call(loaded, lambda db: list_links(db, wanted, PageRequest(limit, offset, after)))
    if json:
        print_json(list_as_json(found, "links"))
    else:
        show_links(found, datetime.now(UTC))


def promote(
    named: Named,
    name: Annotated[str | None, typer.Option(help="The name of the source.", show_default=False)] = None,
    mode: Annotated[Mode, typer.Option(help="How its pages are found.")] = Mode.FEED,
    priority: Annotated[
        str | None, typer.Option(help="1 to 10, or low, medium or high.", show_default=False)
    ] = None,
    dry_run: DryRun = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Watch a domain, or the site of a link, from now on; workers search for its feeds later."""
    loaded = load_settings(config, data=data)
    values = {"name": name, "mode": mode.value, "priority": priority}
    options = loaded.settings.frontier
    source = change(loaded, lambda db: promote_to_source(db, named, values, options, dry_run=dry_run))
    if json:
        print_json(as_json(source))
        return
    would = "would be watched" if dry_run else "is watched from now on"
    console().print(plain(f"{source.name} {would}, in mode {source.mode.value}: {source.url}"))


def ignore(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Hide a domain or link, and record no further links to the domain."""
    _mark(named, DomainState.IGNORED, json, data, config)


def review(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Mark a domain as under review."""
    _mark(named, DomainState.REVIEWING, json, data, config)


def restore(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Undo a decision."""
    _mark(named, DomainState.ACTIVE, json, data, config)


def _mark(named: str, state: DomainState, json: bool, data: Data, config: Config) -> None:
    loaded = load_settings(config, data=data)
    decided = change(loaded, lambda db: decide_about(db, named, state))
    if json:
        print_json(as_json(decided))
    else:
        console().print(plain(f"{decided.named} is {state.value} now."))


discovered = submenu(
    "discovered",
    {
        "domains": domains,
        "links": links,
        "promote": promote,
        "ignore": ignore,
        "review": review,
        "restore": restore,
    },
)
