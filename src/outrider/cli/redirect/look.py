"""`outrider redirect list`, `resolve` and `history`."""

from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json, Limit, Offset
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.cli.site.options import SiteName
from outrider.cli.use_case import call
from outrider.redirects.model import RedirectSort, RedirectSource
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import PageRequest
from outrider.services.sites.redirects import RedirectFilter, list_changes, list_redirects, resolve_path
from outrider.wording import count


def list_(
    site: SiteName,
    source: Annotated[
        RedirectSource | None, typer.Option(help="Only redirects that this created.", show_default=False)
    ] = None,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only paths or targets with this.", show_default=False)
    ] = None,
    sort: Annotated[RedirectSort, typer.Option(help="The order.")] = RedirectSort.FROM_PATH,
    limit: Limit = 100,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the redirects of a site."""
    loaded = load_settings(config, data=data)
    wanted = RedirectFilter(source, search)
    page = call(loaded, lambda db: list_redirects(db, site, wanted, PageRequest(limit, offset), sort))
    if json:
        print_json(list_as_json(page, "redirects"))
        return
    rows = [
        (each.id, each.from_path, each.to or "gone", each.status, each.source, count(each.hit_count))
        for each in page.items
    ]
    show(table(("number", "from", "to", "code", "source", "hits"), rows, right=("number", "code", "hits")))


def resolve(
    site: SiteName,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="As a visitor asks for it.", show_default=False)
    ],
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show what the middleware answers for a path."""
    loaded = load_settings(config, data=data)
    found = call(loaded, lambda db: resolve_path(db, site, path))
    if json:
        print_json(as_json(found))
    elif not found.status:
        show(plain(f"{found.path}: the application answers."))
    else:
        show(plain(f"{found.path}: {found.status} {found.location or ''} ({found.reason})"))


def history(
    site: SiteName,
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="Only this path.", show_default=False)
    ] = None,
    limit: Limit = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show what changed redirects, when and why, newest first."""
    loaded = load_settings(config, data=data)
    page = call(loaded, lambda db: list_changes(db, site, PageRequest(limit, offset), path))
    if json:
        print_json(list_as_json(page, "changes"))
        return
    rows = [
        (
            f"{each.at:%Y-%m-%d %H:%M}",
            each.action,
            each.from_path,
            each.before_to or "",
            each.after_to or "",
            each.done_by,
            each.why,
        )
        for each in page.items
    ]
    show(table(("when", "what", "from", "before", "after", "by", "why"), rows))
