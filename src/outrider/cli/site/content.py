"""`outrider site event`, `upload` and `paths`: the pages of a site."""

from pathlib import Path
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.cli.site.options import SiteName, operator
from outrider.cli.use_case import call, change
from outrider.errors import InvalidInput
from outrider.redirects.events import ContentEvent, ContentEventKind
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import PageRequest
from outrider.services.sites.content import list_paths, put_paths, receive_events
from outrider.services.sites.inventory_file import LARGEST_FILE, read_inventory
from outrider.wording import plural


def event(
    site: SiteName,
    kind: Annotated[
        ContentEventKind, typer.Argument(metavar="KIND", help="What happened.", show_default=False)
    ],
    path: Annotated[str, typer.Argument(metavar="PATH", help="The path of the page.", show_default=False)],
    new_path: Annotated[
        str | None, typer.Argument(metavar="[NEW_PATH]", help="Where it is now.", show_default=False)
    ] = None,
    title: Annotated[str | None, typer.Option(help="Its title.", show_default=False)] = None,
    parent: Annotated[
        str | None, typer.Option(metavar="PATH", help="Its parent, such as a category.", show_default=False)
    ] = None,
    event_id: Annotated[
        str | None, typer.Option("--id", help="An event with the same id counts once.", show_default=False)
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Tell that a page was created, updated, renamed, deleted, hidden, shown or collection_renamed."""
    loaded = load_settings(config, data=data)
    told = ContentEvent(kind, path, new_path, title, parent, event_id=event_id)
    [result] = change(loaded, lambda db: receive_events(db, site, [told], operator()))
    if json:
        print_json(as_json(result))
    elif result.is_duplicate:
        show(plain("This event came before: nothing changed."))
    else:
        show(plain(f"Done: {plural(len(result.changes), 'change')} of redirects."))


def upload(
    site: SiteName,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Paths, one a line; or a JSON list of objects.", exists=True, dir_okay=False
        ),
    ],
    merge: Annotated[
        bool, typer.Option("--merge", help="Keep the paths that the file does not have.")
    ] = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Replace the inventory of live paths by those of a file."""
    loaded = load_settings(config, data=data)
    if file.stat().st_size > LARGEST_FILE:
        raise InvalidInput(f"{file} has more than {LARGEST_FILE:,} bytes: split it and use --merge")
    pages = read_inventory(file.read_text(encoding="utf-8", errors="replace"))
    result = change(loaded, lambda db: put_paths(db, site, pages, operator(), replaces=not merge))
    if json:
        print_json(as_json(result))
        return
    show(plain(f"{plural(result.live_paths, 'path is', 'paths are')} in the inventory."))
    if result.no_longer_live_total:
        gone = plural(result.no_longer_live_total, "path is", "paths are")
        show(plain(f"{gone} no longer live: {', '.join(result.no_longer_live[:5])} …"))


def paths(
    site: SiteName,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only paths or titles with this.", show_default=False)
    ] = None,
    limit: Limit = 100,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the inventory of live paths."""
    loaded = load_settings(config, data=data)
    page = call(loaded, lambda db: list_paths(db, site, PageRequest(limit, offset), search))
    if json:
        print_json(list_as_json(page, "paths"))
        return
    rows = [(each.path, each.kind, each.title, "" if each.is_visible else "hidden") for each in page.items]
    show(table(("path", "kind", "title", ""), rows))
