"""`/frontier`: which URLs are known, in which state, and why (UI-03)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.errors import InvalidInput, NotFound
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import UrlOrigin
from outrider.services.crawl.figures import StateTotals, read_dead_reasons, read_state_totals
from outrider.services.paging import PageRequest
from outrider.services.urls.lists import MOST_SORTED, Order
from outrider.services.urls.urls import UrlFilters, UrlKind, UrlPage, UrlStatus, list_urls
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
REDIRECT_FAILURES = DeadReason.REDIRECT.value  # all reasons of failed redirects have this word
MOST_REASONS = 12
NOTHING = UrlPage((), 0, 50, 0)


@dataclass(frozen=True, slots=True)
class FrontierPage:
    """A part of the frontier, its filters and its counts."""

    stats: StateTotals
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
    wanted, problem = UrlFilters(status, host, source, origin, kind, search, reason), ""
    stats = await read_state_totals(db)
    order = sort or usual_order(wanted, stats)
    try:
        urls, order = await _list(db, wanted, order, paging, is_chosen=sort is not None)
    except (InvalidInput, NotFound) as error:
        urls, problem = NOTHING, str(error)
    reasons = list((await read_dead_reasons(db)).items())[:MOST_REASONS]
    page = FrontierPage(stats, urls, wanted, order, problem, reasons)
    return render(request, "frontier/frontier.html", page, title="Frontier")


def usual_order(wanted: UrlFilters, stats: StateTotals) -> Order:
    """By priority; by host if the counters say that there are too many URLs to sort."""
    totals = {
        UrlStatus.PENDING: stats.total_pending,
        UrlStatus.FETCHED: stats.total_fetched,
        UrlStatus.DEAD: stats.total_dead,
        UrlStatus.ALIAS: stats.total_aliases,
    }
    known = sum(totals.values()) if wanted.status is None else totals.get(wanted.status, 0)
    is_whole = replace(wanted, status=None) == UrlFilters()
    return Order.KEY if is_whole and known > MOST_SORTED else Order.PRIORITY


async def _list(
    db: Db, wanted: UrlFilters, order: Order, paging: PageRequest, *, is_chosen: bool
) -> tuple[UrlPage, Order]:
    """The list in this order; by host if the reader chose no order and too many URLs match to sort."""
    found = await list_urls(db, wanted, order, paging)
    if found.is_sorted or is_chosen:
        return found, order
    return await list_urls(db, wanted, Order.KEY, paging), Order.KEY
