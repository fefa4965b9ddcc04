"""Lists of entries for people: filtered, sorted, a page at a time (FRO-13)."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import InvalidInput
from outrider.frontier.model import ORIGIN_CODE, ORIGINS, EntryKind, State, UrlOrigin
from outrider.frontier.stats import StatsStore
from outrider.urls import UrlKey, host_id_of

DEFAULT_LIMIT = 50
MOST_ROWS = 1_000
MOST_SORTED = 4_000  # entries that one list examines
MOST_REASONS = 100

_SQL = Queries.load("outrider.services")


class Order(StrEnum):
    """The order of a list: the highest priority, the next fetch or the newest entry first, or by key.

    Entries of a host are together in the order of keys. Only this order is exact for any number of entries.
    """

    PRIORITY = "priority"
    NEXT = "next"
    CREATED = "created"
    KEY = "key"


class Way(StrEnum):
    """How a list finds its entries: by an index that finds few, or by a walk in the order of keys."""

    HOST = "host"
    SOURCE = "source"
    DEAD = "dead"
    PENDING = "pending"
    ALL = "all"
    WALK = "walk"


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
    """A page of the list. Past the bound `total` is a minimum, and only some of the matches were sorted.

    `last` is the place of the last entry if there are more entries; None at the end. `examined` is how many
    entries were examined if others remain: matches among those are found behind `last`.
    """

    urls: Sequence[ListedUrl]
    total: int
    is_exact: bool
    is_sorted: bool
    last: UrlPosition | None = None
    examined: int | None = None


async def list_urls(db: asyncpg.Connection, wanted: UrlFilter) -> Listing:
    """The requested page, and how many entries match in all.

    Raises InvalidInput if the page begins behind the entries that one list examines.
    """
    host_id = None if wanted.host is None else host_id_of(wanted.host)
    limit, offset = min(wanted.limit, MOST_ROWS), min(wanted.offset, MOST_SORTED)
    by_key = wanted.order is Order.KEY
    async with db.transaction():
        await db.execute(_SQL.force_custom_plan)
        counted = await _counted(db, wanted) if wanted.is_counted else None
        if counted is not None and counted <= wanted.offset:
            return Listing((), counted, is_exact=True, is_sorted=by_key or counted <= MOST_SORTED)
        way, reasons = await _way(db, wanted, host_id)
        filters = (
            wanted.status,
            wanted.source_id,
            host_id,
            None if wanted.origin is None else ORIGIN_CODE[wanted.origin],
            wanted.kind,
            wanted.search,
            wanted.error,
        )
        place = (None,) * 5 if wanted.after is None else astuple(wanted.after)
        direction = -1 if wanted.is_reversed else 1
        for window in _windows(wanted, way, limit + 1 + offset):
            found = await db.fetch(
                _SQL.list_urls, *filters, wanted.order.value, window, limit + 1, offset, *place, direction,
                way.value, reasons,
            )  # fmt: skip
            tally, rows = found[0], [row for row in found if row["url"] is not None]
            is_cut = way is Way.WALK and tally["examined"] == window
            if not is_cut or len(rows) > limit:
                break
    if is_cut and by_key and 0 < offset >= tally["matching"]:
        raise InvalidInput(
            f"this offset is behind the {MOST_SORTED:,} URLs that one list examines: page with the cursor"
        )
    is_whole = not is_cut and not (way is Way.WALK and by_key and wanted.after is not None)
    last = _position(rows[limit - 1]) if len(rows) > limit else None
    if last is None and is_cut and by_key:
        last = UrlPosition(0, False, 0, tally["edge_host_id"], tally["edge_hash"])
    return Listing(
        [_line(row) for row in rows[:limit]],
        tally["matching"] if counted is None else counted,
        is_exact=is_whole or counted is not None,
        is_sorted=by_key or not is_cut,
        last=last,
        examined=window if is_cut else None,
    )


def _windows(wanted: UrlFilter, way: Way, needed: int) -> Sequence[int]:
    """How many entries to examine. In the order of keys, few are enough for a list that leaves out little."""
    few = 4 * needed
    is_plain = wanted.is_counted and wanted.status is None and wanted.source_id is None
    if way is Way.WALK and wanted.order is Order.KEY and is_plain and few < MOST_SORTED:
        return few, MOST_SORTED
    return (MOST_SORTED,)


async def _way(
    db: asyncpg.Connection, wanted: UrlFilter, host_id: int | None
) -> tuple[Way, Sequence[str] | None]:
    """The way that finds few entries, and the reasons of dead ones; the walk if every way finds too many."""
    reasons: list[str] | None = None
    ways = [Way.HOST] if wanted.host is not None else []
    if wanted.source_id is not None:  # what it shares has another state for it
        ways.append(Way.SOURCE)
    elif wanted.status is State.DEAD:
        ways.append(Way.DEAD)
        if wanted.error is not None:
            found = await db.fetch(_SQL.reasons_like, wanted.error, MOST_REASONS + 1)
            reasons = [row["reason"] for row in found] if len(found) <= MOST_REASONS else None
    elif wanted.status is State.PENDING:
        ways.append(Way.PENDING)
    elif not ways:
        ways.append(Way.ALL)
    for way in ways:
        most = MOST_SORTED + 1
        found = await db.fetchval(
            _SQL.count_within_reach, way.value, host_id, wanted.source_id, reasons, most
        )
        if found < most:
            await db.execute(_SQL.read_by_index)
            return way, reasons
    return Way.WALK, None


async def _counted(db: asyncpg.Connection, wanted: UrlFilter) -> int:
    counts = await StatsStore().states(db, wanted.source_id)
    match wanted.status:
        case State.PENDING:
            return counts.pending
        case State.FETCHED:
            return counts.fetched
        case State.DEAD:
            return counts.dead
        case State.ALIAS:
            return counts.aliases
        case _:
            return counts.known


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
