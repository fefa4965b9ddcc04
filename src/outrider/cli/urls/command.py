"""`outrider urls`: the entries of the frontier, filtered and sorted."""

from typing import Annotated

import typer

from outrider.cli.options import After, Config, Data, Json
from outrider.cli.output import print_json
from outrider.cli.running import load_settings
from outrider.cli.urls.report import show
from outrider.cli.use_case import call
from outrider.frontier.model import UrlOrigin
from outrider.services.as_json import url_list_as_json
from outrider.services.paging import PageRequest
from outrider.services.urls.lists import DEFAULT_LIMIT, MOST_ROWS, MOST_SORTED, Order
from outrider.services.urls.urls import UrlFilters, UrlKind, UrlStatus, list_urls
from outrider.urls.typed import host_named


def urls(
    status: Annotated[
        UrlStatus | None,
        typer.Option(
            metavar="pending|fetched|dead|alias",
            help="Only URLs in this state; completed, failed and in_progress are accepted, too.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="Only on this host.", show_default=False)
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of this source.", show_default=False)
    ] = None,
    origin: Annotated[
        UrlOrigin | None, typer.Option(help="Only URLs with this origin.", show_default=False)
    ] = None,
    kind: Annotated[
        UrlKind | None,
        typer.Option(help="Only this kind. [default: all but robots.txt]", show_default=False),
    ] = None,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only URLs that contain this.", show_default=False)
    ] = None,
    error: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Only URLs whose reason contains this.", show_default=False),
    ] = None,
    sort: Annotated[Order, typer.Option(help="Sort the list by this.")] = Order.PRIORITY,
    limit: Annotated[int, typer.Option(min=1, max=MOST_ROWS, help="URLs in the list.")] = DEFAULT_LIMIT,
    offset: Annotated[int, typer.Option(min=0, max=MOST_SORTED, help="URLs to skip first.")] = 0,
    after: After = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List URLs by state and result.

    `outrider export urls` writes all URLs to a file.
    """
    name = None if host is None else host_named(host)
    filters = UrlFilters(status, name, source, origin, kind, search, error)
    loaded = load_settings(config, data=data)
    page = PageRequest(limit, offset, after)
    found = call(loaded, lambda db: list_urls(db, filters, sort, page))
    if json:
        print_json(url_list_as_json(found, is_sorted=found.is_sorted))
    else:
        show(found, is_first=page.cursor is None)
