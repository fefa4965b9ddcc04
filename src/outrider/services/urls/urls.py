"""Use cases of URLs: list the entries of the frontier, add some, retry dead ones, empty the queue."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from uuid import UUID

import asyncpg

from outrider.errors import InvalidInput
from outrider.frontier.model import EntryKind, State, SubmissionResult, UrlOrigin
from outrider.frontier.normalisation import FIRST
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.paging import CursorPage, PageRequest, TotalIs
from outrider.services.sources.sources import source_id_named
from outrider.services.urls.lists import MOST_ROWS, MOST_SORTED, ListedUrl, Order, UrlFilter, UrlPosition
from outrider.services.urls.lists import list_urls as list_entries
from outrider.urls import host_id_of, key_of
from outrider.watch.submit import SubmittedUrl, submit_urls

_POSITION = (int, bool, int, int, UUID)  # the fields of UrlPosition
RETRIED_AT_ONCE = 1_000  # entries in one transaction


class UrlStatus(StrEnum):
    """The states of an entry."""

    PENDING = "pending"
    FETCHED = "fetched"
    DEAD = "dead"
    ALIAS = "alias"
    # Names of earlier crawlers (CON-07):
    FETCHING = "fetching"
    COMPLETED = "completed"
    FAILED = "failed"
    IN_PROGRESS = "in_progress"

    @property
    def state(self) -> State:
        return _EARLIER.get(self) or State[self.name]


_EARLIER = {
    UrlStatus.FETCHING: State.PENDING,  # a URL is pending until its result is written
    UrlStatus.COMPLETED: State.FETCHED,
    UrlStatus.FAILED: State.DEAD,
    UrlStatus.IN_PROGRESS: State.PENDING,
}


class UrlKind(StrEnum):
    """The kinds of entries."""

    PAGE = "page"
    FEED = "feed"
    SITEMAP = "sitemap"
    ROBOTS = "robots"


@dataclass(frozen=True, slots=True)
class UrlFilters:
    """Which entries to list. None matches every entry, but robots.txt is listed only by its kind."""

    status: UrlStatus | None = None
    host: str | None = None
    source: str | None = None
    origin: UrlOrigin | None = None
    kind: UrlKind | None = None
    search: str | None = None  # a part of the URL
    error: str | None = None  # the reason, or a part of it


@dataclass(frozen=True, slots=True)
class UrlPage(CursorPage[ListedUrl]):
    """Entries of the frontier. `is_sorted` is False when only a part of the matching entries was sorted.

    `examined` is set when only that many entries were examined for this part: more matches may follow at
    `next`, even if this part is empty.
    """

    is_sorted: bool = True
    examined: int | None = None


@dataclass(frozen=True, slots=True)
class AddedUrls:
    """The result of adding URLs: how many are new, raised or known already, and the result of each."""

    inserted: int
    raised: int
    known: int
    urls: Sequence[SubmittedUrl]


@dataclass(frozen=True, slots=True)
class RetriedUrls:
    """How many dead URLs are queued again, and which of the named URLs were not dead."""

    queued: int
    not_dead: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ClearedUrls:
    """How many URLs left the queue."""

    cleared: int


async def list_urls(
    db: asyncpg.Connection, filters: UrlFilters, sort: Order, page: PageRequest, *, is_reversed: bool = False
) -> UrlPage:
    """Entries of the frontier; raises NotFound for an unknown source, InvalidInput for a wrong cursor.

    There is a next page only in a list that is sorted as a whole: the order of keys is, for any number.
    """
    if is_reversed and sort is Order.KEY:
        raise InvalidInput("the order of keys has one direction: leave sort_order out")
    page = page.checked(MOST_ROWS, MOST_SORTED)
    place = f"urls {sort.value}{' reversed' if is_reversed else ''}"
    after = None if page.cursor is None else UrlPosition(*read_cursor(page.cursor, place, _POSITION))
    async with db.transaction():
        wanted = UrlFilter(
            status=None if filters.status is None else filters.status.state,
            source_id=await source_id_named(db, filters.source),
            host=filters.host,
            origin=filters.origin,
            kind=None if filters.kind is None else EntryKind[filters.kind.name],
            search=filters.search,
            error=filters.error,
            order=sort,
            limit=page.limit,
            offset=page.offset,
            after=after,
            is_reversed=is_reversed,
        )
        found = await list_entries(db, wanted)
    if after is not None and not found.is_sorted:
        raise InvalidInput(
            f"more than {MOST_SORTED:,} URLs match, too many to sort by {sort.value}: "
            f"page through them in the order {Order.KEY.value!r}, or use more filters"
        )
    total_is = TotalIs.EXACT if found.is_exact else TotalIs.AT_LEAST
    following = found.last if found.is_sorted else None
    return UrlPage(
        found.urls,
        found.total,
        page.limit,
        page.offset,
        total_is,
        None if following is None else write_cursor(place, astuple(following)),
        found.is_sorted,
        found.examined,
    )


async def add_urls(
    db: asyncpg.Connection,
    urls: Collection[str],
    source: str | None,
    priority: int | None,
    options: FrontierOptions,
) -> AddedUrls:
    """Queue URLs for the source of that name, or for the source of their host; all of them or none.

    Raises InvalidUrl, InvalidInput for a priority that is not from 1 to 10, NotFound for an unknown source.
    """
    async with db.transaction():
        source_id = await source_id_named(db, source)
        found = await submit_urls(db, FrontierStore(options), urls, source_id, priority)
    tally = Counter(each.result for each in found)
    return AddedUrls(
        tally[SubmissionResult.INSERTED],
        tally[SubmissionResult.RAISED],
        tally[SubmissionResult.KNOWN],
        found,
    )


async def retry_urls(db: asyncpg.Connection, urls: Collection[str], options: FrontierOptions) -> RetriedUrls:
    """Queue those of the normalised URLs that are dead (FRO-12)."""
    frontier, wanted = FrontierStore(options), {key_of(url): url for url in urls}
    async with db.transaction():
        dead = await frontier.dead_among(db, wanted)
        if dead:
            await frontier.requeue(db, dead)
    return RetriedUrls(len(dead), [url for key, url in wanted.items() if key not in dead])


async def retry_dead(
    db: asyncpg.Connection,
    reason: str | None,
    host: str | None,
    options: FrontierOptions,
    source: str | None = None,
) -> RetriedUrls:
    """Queue every dead URL, or those with this `reason`, of this host and of this source.

    There may be millions, so each batch is a separate transaction. After a crash the same call continues.
    """
    frontier, host_id = FrontierStore(options), None if host is None else host_id_of(host)
    source_id = await source_id_named(db, source)
    queued, after = 0, FIRST
    while True:
        async with db.transaction():
            dead = await frontier.dead_because(db, reason, host_id, after, RETRIED_AT_ONCE, source_id)
            if dead:
                await frontier.requeue(db, dead)
        queued += len(dead)
        if len(dead) < RETRIED_AT_ONCE:
            return RetriedUrls(queued)
        after = dead[-1]


async def count_dead(
    db: asyncpg.Connection,
    reason: str | None,
    host: str | None,
    options: FrontierOptions,
    source: str | None = None,
) -> int:
    """How many dead URLs `retry_dead` would queue."""
    host_id = None if host is None else host_id_of(host)
    async with db.transaction():
        source_id = await source_id_named(db, source)
        return await FrontierStore(options).count_dead_because(db, reason, host_id, source_id)


async def clear_urls(
    db: asyncpg.Connection, host: str | None, source: str | None, options: FrontierOptions
) -> ClearedUrls:
    """Remove queued pages from the queue: all, or those of one host or source (FRO-19)."""
    host_id = None if host is None else host_id_of(host)
    async with db.transaction():
        source_id = await source_id_named(db, source)
        return ClearedUrls(await FrontierStore(options).clear_pending(db, source_id, host_id))
