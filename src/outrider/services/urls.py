"""Use cases of URLs: list the frontier's entries."""

from dataclasses import dataclass
from enum import StrEnum

import asyncpg

from outrider.frontier.listing import MOST_ROWS, MOST_SORTED, Line, Order, Wanted
from outrider.frontier.listing import list_urls as list_entries
from outrider.frontier.model import Kind, Origin, State
from outrider.services.paging import ListPage, PageRequest, TotalIs
from outrider.services.sources import source_id_named


class UrlStatus(StrEnum):
    """What an entry can be."""

    PENDING = "pending"
    FETCHED = "fetched"
    DEAD = "dead"
    ALIAS = "alias"
    # Names of earlier crawlers (CON-07):
    COMPLETED = "completed"
    FAILED = "failed"
    IN_PROGRESS = "in_progress"

    @property
    def state(self) -> State:
        return _EARLIER.get(self) or State[self.name]


_EARLIER = {
    UrlStatus.COMPLETED: State.FETCHED,
    UrlStatus.FAILED: State.DEAD,
    UrlStatus.IN_PROGRESS: State.PENDING,  # a URL is pending until its result is written
}


class UrlKind(StrEnum):
    """What an entry can ask for."""

    PAGE = "page"
    FEED = "feed"
    SITEMAP = "sitemap"
    ROBOTS = "robots"


@dataclass(frozen=True, slots=True)
class UrlFilters:
    """Which entries to list. None lets every entry through, except that robots.txt needs its kind named."""

    status: UrlStatus | None = None
    host: str | None = None
    source: str | None = None
    origin: Origin | None = None
    kind: UrlKind | None = None
    search: str | None = None  # a part of the URL
    error: str | None = None  # the reason, or a part of it


@dataclass(frozen=True, slots=True)
class UrlPage(ListPage[Line]):
    """Entries of the frontier. `is_sorted` is False when only a part of the matching entries was sorted."""

    is_sorted: bool = True


async def list_urls(db: asyncpg.Connection, filters: UrlFilters, sort: Order, page: PageRequest) -> UrlPage:
    """Entries of the frontier; raises NotFound where there is no source of that name."""
    page = page.checked(MOST_ROWS, MOST_SORTED)
    async with db.transaction():
        wanted = Wanted(
            status=None if filters.status is None else filters.status.state,
            source_id=await source_id_named(db, filters.source),
            host=filters.host,
            origin=filters.origin,
            kind=None if filters.kind is None else Kind[filters.kind.name],
            search=filters.search,
            error=filters.error,
            order=sort,
            limit=page.limit,
            offset=page.offset,
        )
        found = await list_entries(db, wanted)
    total_is = TotalIs.EXACT if found.is_exact else TotalIs.AT_LEAST
    return UrlPage(found.urls, found.total, page.limit, page.offset, total_is, found.is_sorted)
