"""Lists of entries for people: filtered, sorted, a page at a time (FRO-13)."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.model import ORIGIN_CODE, ORIGINS, EntryKind, State, UrlOrigin
from outrider.frontier.stats import StatsStore
from outrider.urls import UrlKey, host_id_of

DEFAULT_LIMIT = 50
MOST_ROWS = 1_000
MOST_SORTED = MOST_COUNTED = 10_000

_SQL = Queries.load("outrider.services")


class Order(StrEnum):
    """The order of a list: the highest priority, the next fetch or the newest entry first, or by key.

    Entries of a host are together in the order of keys. Only this order is exact for any number of entries.
    """

    PRIORITY = "priority"
    NEXT = "next"
    CREATED = "created"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class UrlPosition:
    """The place of an entry in an order: the entries behind it have greater values."""

    lead: int  # by which the order sorts first: the priority or the time, negative
    is_idle: bool  # it has no next fetch
    due: int  # the next fetch, in microseconds
    host_id: int
    url_hash: UUID


@dataclass(frozen=True, slots=True)
class UrlFilter:
    """Which entries to list. A field that is None does not filter."""

    status: State | None = None
    source_id: int | None = None
    host: str | None = None
    origin: UrlOrigin | None = None
    kind: EntryKind | None = None  # None: all but robots.txt
    search: str | None = None  # a part of the URL
    error: str | None = None  # the reason, or a part of it
    order: Order = Order.PRIORITY
    limit: int = DEFAULT_LIMIT
    offset: int = 0
    after: UrlPosition | None = None  # only entries behind it
    is_reversed: bool = False  # the other way round; the order of keys has only one direction

    @property
    def is_counted(self) -> bool:
        """Whether the counters have the number of matching entries."""
        others = (self.host, self.origin, self.kind, self.search, self.error)
        return all(asked is None for asked in others)


@dataclass(frozen=True, slots=True)
class ListedUrl:
    """One entry of the list, by the names of the view `url_frontier`."""

    id: UrlKey
    url_hash: str
    url: str
    host: str | None
    source: str | None
    origin: str
    kind: str
    parent_url: str | None
    depth: int
    priority: int
    status: str
    held: bool
    next_fetch_at: datetime | None
    last_fetched_at: datetime | None
    fetch_count: int
    http_status: int | None
    retry_count: int
    last_error: str | None
    redirects_to: str | None
    discovered_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the list. Past the bounds `total` is a minimum, and only some of the matches were sorted.

    `last` is the place of the last entry if there are more entries; None at the end.
    """

    urls: Sequence[ListedUrl]
    total: int
    is_exact: bool
    is_sorted: bool
    last: UrlPosition | None = None


async def list_urls(db: asyncpg.Connection, wanted: UrlFilter) -> Listing:
    """The requested page, and how many entries match in all."""
    filters = (
        wanted.status,
        wanted.source_id,
        None if wanted.host is None else host_id_of(wanted.host),
        None if wanted.origin is None else ORIGIN_CODE[wanted.origin],
        wanted.kind,
        wanted.search,
        wanted.error,
    )
    async with db.transaction():
        await db.execute(_SQL.force_custom_plan)
        if wanted.is_counted:
            total, is_exact = await _counted(db, wanted), True
        else:
            counted = await db.fetchval(_SQL.count_urls, *filters, MOST_COUNTED + 1)
            total, is_exact = min(counted, MOST_COUNTED), counted <= MOST_COUNTED
        is_sorted = wanted.order is Order.KEY or (is_exact and total <= MOST_SORTED)
        limit, offset = min(wanted.limit, MOST_ROWS), min(wanted.offset, MOST_SORTED)
        rows = []
        if total > wanted.offset:
            order = wanted.order.value
            candidates = limit + 1 + offset if wanted.order is Order.KEY else MOST_SORTED
            place = (None,) * 5 if wanted.after is None else astuple(wanted.after)
            rows = await db.fetch(
                _SQL.list_urls,
                *filters,
                order,
                candidates,
                limit + 1,
                offset,
                *place,
                -1 if wanted.is_reversed else 1,
            )
    last = _position(rows[limit - 1]) if len(rows) > limit else None
    return Listing([_line(row) for row in rows[:limit]], total, is_exact, is_sorted, last)


async def _counted(db: asyncpg.Connection, wanted: UrlFilter) -> int:
    totals = await StatsStore().totals(db, wanted.source_id)
    match wanted.status:
        case State.PENDING:
            return totals.pending
        case State.FETCHED:
            return totals.fetched
        case State.DEAD:
            return totals.dead
        case State.ALIAS:
            return totals.aliases
        case _:
            return totals.known


def _position(row: Any) -> UrlPosition:
    return UrlPosition(row["lead"], row["is_idle"], row["due"], row["host_id"], row["key_hash"])


async def find_listed(db: asyncpg.Connection, key: UrlKey) -> ListedUrl | None:
    """One entry as the list shows it."""
    row = await db.fetchrow(_SQL.find_listed_url, key.host_id, key.hash)
    return None if row is None else _line(row)


def _line(row: Any) -> ListedUrl:
    return ListedUrl(
        id=UrlKey(row["host_id"], row["key_hash"].hex),
        url_hash=row["url_hash"],
        url=row["url"],
        host=row["host"],
        source=row["source"],
        origin=ORIGINS[row["origin"]].value,
        kind=EntryKind(row["kind"]).name.lower(),
        parent_url=row["parent_url"],
        depth=row["depth"],
        priority=row["priority"],
        status=State(row["state"]).name.lower(),
        held=row["held"],
        next_fetch_at=row["next_fetch_at"],
        last_fetched_at=row["last_fetch_at"],
        fetch_count=row["fetches"],
        http_status=row["http_status"],
        retry_count=row["attempts"],
        last_error=row["reason"],
        redirects_to=row["redirects_to"],
        discovered_at=row["discovered_at"],
        updated_at=row["updated_at"],
    )
