"""`/api/v1/frontier`: read the entries of the frontier (API-11 to API-13)."""

from enum import StrEnum
from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.frontier.model import UrlOrigin
from outrider.services.crawl.figures import FrontierStats, read_frontier_stats
from outrider.services.urls.details import UrlDetails, show_url
from outrider.services.urls.keys import read_key
from outrider.services.urls.lists import Order
from outrider.services.urls.urls import UrlFilters, UrlKind, UrlPage, UrlStatus, list_urls
from outrider.web.api.v1.parameters import HostQuery, SearchQuery, SourceQuery, UrlId
from outrider.web.api.v1.sorting import SortOrder
from outrider.web.dependencies import CursorPaging, Db
from outrider.web.router import ApiRouter

router = ApiRouter("frontier")


class FrontierSort(StrEnum):
    """By what the list is sorted. Only `key` sorts any number of URLs."""

    PRIORITY = "priority"
    NEXT_FETCH_AT = "next_fetch_at"
    CREATED_AT = "created_at"
    KEY = "key"


_ORDERS = {
    FrontierSort.PRIORITY: (Order.PRIORITY, SortOrder.DESC),
    FrontierSort.NEXT_FETCH_AT: (Order.NEXT, SortOrder.ASC),
    FrontierSort.CREATED_AT: (Order.CREATED, SortOrder.DESC),
    FrontierSort.KEY: (Order.KEY, SortOrder.ASC),
}


@router.get(
    "/api/v1/frontier",
    Role.USER,
    summary="List the URLs of the frontier",
    result=UrlPage,
    aliases=("/api/frontier/urls",),
    errors=(400, 404),
)
async def get_urls(
    db: Db,
    paging: CursorPaging,
    status: UrlStatus | None = None,
    source_id: SourceQuery = None,
    host: HostQuery = None,
    origin: UrlOrigin | None = None,
    kind: UrlKind | None = None,
    search: SearchQuery = None,
    last_error: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    sort_by: FrontierSort = FrontierSort.PRIORITY,
    sort_order: SortOrder | None = None,
) -> UrlPage:
    """Entries that match all filters. `search` is a part of the URL, `last_error` the reason or a part of it.

    A list examines 4,000 URLs at most. `is_sorted` is false when others remain and only a part of the
    matching ones was sorted: sort by `key` to read them all, page by page, with `after`. `examined` then says
    how many were examined for this part, which may have few items or none and still have a `next` part.
    """
    order, usual = _ORDERS[sort_by]
    filters = UrlFilters(status, host, source_id, origin, kind, search, last_error)
    return await list_urls(db, filters, order, paging, is_reversed=(sort_order or usual) is not usual)


@router.get(
    "/api/v1/frontier/stats",
    Role.USER,
    summary="Count the URLs by state, source and reason",
    result=FrontierStats,
)
async def get_frontier_stats(db: Db) -> FrontierStats:
    """The counts are maintained, so they are exact and cost no scan."""
    return await read_frontier_stats(db)


@router.get(
    "/api/v1/frontier/{id}",
    Role.USER,
    summary="Show one URL",
    result=UrlDetails,
    errors=(404,),
)
async def get_url(db: Db, id: UrlId) -> UrlDetails:
    """One entry with its redirect chain and its last 20 requests."""
    return await show_url(db, read_key(id))
