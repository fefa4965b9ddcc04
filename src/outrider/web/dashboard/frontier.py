"""`/frontier`: which URLs are known, in which state, and why (UI-03)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.errors import InvalidInput, NotFound
from outrider.frontier.model import UrlOrigin
from outrider.services.crawl_stats import FrontierStats, read_frontier_stats
from outrider.services.paging import PageRequest
from outrider.services.url_list import Order
from outrider.services.urls import UrlFilters, UrlKind, UrlPage, UrlStatus, list_urls
from outrider.web.dashboard import url_words
from outrider.web.dashboard.fields import Blank, HostText, ReasonText, SearchText, SourceText
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import CursorPaging, Db

router = PageRouter()

STATUSES = (UrlStatus.PENDING, UrlStatus.FETCHED, UrlStatus.DEAD, UrlStatus.ALIAS)
ORDERS = {
    Order.PRIORITY: "highest priority first",
    Order.NEXT: "next fetch first",
    Order.CREATED: "newest first",
    Order.KEY: "by host",
}
REDIRECT_FAILURES = "redirect"  # all reasons of failed redirects have this word
MOST_REASONS = 12
NOTHING = UrlPage((), 0, 50, 0)


@dataclass(frozen=True, slots=True)
class FrontierPage:
    """A part of the frontier, its filters and its counts."""

    stats: FrontierStats
    urls: UrlPage
    wanted: UrlFilters
    order: Order
    problem: str  # why nothing can be listed; empty if it can
    reasons: Sequence[tuple[str, int]]  # of dead URLs, the most frequent first
    statuses: Sequence[UrlStatus] = STATUSES
    origins: Sequence[UrlOrigin] = tuple(UrlOrigin)
    kinds: Sequence[UrlKind] = tuple(UrlKind)
    words = url_words
    orders = ORDERS
    redirect_failures = REDIRECT_FAILURES

    @property
    def is_filtered(self) -> bool:
        return self.wanted != UrlFilters()

    @property
    def may_retry_all(self) -> bool:
        """Whether the filters name dead URLs that can be retried together."""
        wanted = self.wanted
        others = (wanted.origin, wanted.kind, wanted.search)
        return wanted.status is UrlStatus.DEAD and not any(others) and bool(self.urls.items)

    @property
    def may_clear(self) -> bool:
        """Whether the filters name queued URLs that can be taken out of the queue together."""
        wanted = self.wanted
        others = (wanted.origin, wanted.kind, wanted.search, wanted.error)
        return wanted.status is UrlStatus.PENDING and not any(others) and bool(self.urls.items)


@router.get("/frontier")
async def show_frontier(
    request: Request,
    db: Db,
    paging: CursorPaging,
    status: Annotated[UrlStatus | None, Blank, Query()] = None,
    source: SourceText = None,
    host: HostText = None,
    origin: Annotated[UrlOrigin | None, Blank, Query()] = None,
    kind: Annotated[UrlKind | None, Blank, Query()] = None,
    search: SearchText = None,
    reason: ReasonText = None,
    sort: Annotated[Order | None, Blank, Query()] = None,
) -> Response:
    wanted, problem, order = UrlFilters(status, host, source, origin, kind, search, reason), "", sort
    try:
        urls, order = await _list(db, wanted, sort, paging)
    except (InvalidInput, NotFound) as error:
        urls, problem = NOTHING, str(error)
    stats = await read_frontier_stats(db)
    reasons = list(stats.dead_by_reason.items())[:MOST_REASONS]
    page = FrontierPage(stats, urls, wanted, order or Order.PRIORITY, problem, reasons)
    return render(request, "frontier/frontier.html", page, title="Frontier")


async def _list(db: Db, wanted: UrlFilters, sort: Order | None, paging: PageRequest) -> tuple[UrlPage, Order]:
    """The list in the order that is asked for. Without one: by priority, or by host if there are too many."""
    if sort is not None:
        return await list_urls(db, wanted, sort, paging), sort
    found = await list_urls(db, wanted, Order.PRIORITY, paging)
    if found.is_sorted:
        return found, Order.PRIORITY
    return await list_urls(db, wanted, Order.KEY, paging), Order.KEY
