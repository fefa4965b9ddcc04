"""Hosts for screens."""

from dataclasses import astuple
from datetime import datetime
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.hosts.model import BreakerState
from outrider.hosts.view import ALL_HOSTS, MOST_QUEUED, HostFilter, HostOrder, HostPosition, HostView
from outrider.urls import host_id_of

BREAKERS = tuple(BreakerState)
WALKED = 1_000  # names of hosts, to find those with the delay that most hosts have
_NO_PLACE = (None,) * 4


class HostStore:
    """Reads hosts. The frontier owns their tables: see `frontier/host_control.py`."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.hosts")

    async def page(
        self,
        db: asyncpg.Connection,
        order: HostOrder,
        limit: int,
        offset: int = 0,
        after: HostPosition | None = None,
        wanted: HostFilter = ALL_HOSTS,
    ) -> tuple[list[HostView], HostPosition | None]:
        """A page of the list, and the place of its last host if there are more hosts."""
        place = _NO_PLACE if after is None else astuple(after)
        await db.execute(self._sql.plan_for_these_filters)
        rows = []
        if order is HostOrder.DELAY and after is None and wanted == ALL_HOSTS and limit + offset < WALKED:
            rows = await db.fetch(self._sql.hosts_by_delay, limit + 1, offset, WALKED)
        if len(rows) <= limit:
            rows = await db.fetch(
                self._sql.hosts, order.value, limit + 1, None, offset, *place, *_filters(wanted)
            )
        last = rows[limit - 1] if len(rows) > limit else None
        return [_view(row) for row in rows[:limit]], None if last is None else _position(last)

    async def count(self, db: asyncpg.Connection, most: int, wanted: HostFilter = ALL_HOSTS) -> int:
        """How many hosts match, counted up to `most`."""
        count: int = await db.fetchval(self._sql.count_hosts, most, *_filters(wanted))
        return count

    async def estimate(self, db: asyncpg.Connection) -> int:
        """About how many hosts are known."""
        count: int = await db.fetchval(self._sql.estimate_hosts)
        return count

    async def find(self, db: asyncpg.Connection, host: str) -> HostView | None:
        row = await db.fetchrow(
            self._sql.hosts, HostOrder.PAGES.value, 1, host_id_of(host), 0, *_NO_PLACE, *_filters(ALL_HOSTS)
        )
        return None if row is None else _view(row)

    async def queued(self, db: asyncpg.Connection, host: str) -> int:
        """How many URLs of a host are queued, counted up to 100,000."""
        count: int = await db.fetchval(self._sql.queued_of_host, host_id_of(host), MOST_QUEUED)
        return count


def _filters(wanted: HostFilter) -> tuple[str | None, bool | None, int | None]:
    breaker = None if wanted.breaker is None else BREAKERS.index(wanted.breaker)
    return wanted.search, wanted.is_blocked, breaker


def _position(row: Any) -> HostPosition:
    return HostPosition(row["is_unset"], row["lead"], row["host"], row["host_id"])


def _view(row: Any) -> HostView:
    allowed_at = row["next_allowed_at"]
    owner = row["lease_owner"]
    place = f" ({row['machine']}, process {row['pid']})" if row["machine"] else ""
    return HostView(
        host_id=row["host_id"],
        host=row["host"],
        first_seen_at=row["first_seen_at"],
        last_fetch_at=row["last_fetch_at"],
        requests=row["requests"],
        pages=row["pages"],
        errors=row["errors"],
        bytes=row["bytes"],
        busy_ms=row["busy_ms"],
        last_status=row["last_status"],
        last_error=row["last_error"],
        block_reason=row["block_reason"],
        asked_delay_ms=row["asked_delay_ms"],
        delay_ms=row["delay_ms"],
        penalty_ms=row["penalty_ms"] or 0,
        rate_limited=row["rate_limited"] or 0,
        breaker=BREAKERS[row["breaker"] or 0],
        failures=row["failures"] or 0,
        robots_failures=row["robots_failures"] or 0,
        due_at=_finite(row["due_at"]),
        next_allowed_at=_finite(allowed_at),
        is_blocked=_is_infinite(allowed_at),
        leased_to=None if owner is None else f"worker {owner}{place}",
    )


def _is_infinite(at: datetime | None) -> bool:
    return at is not None and at.year == datetime.max.year


def _finite(at: datetime | None) -> datetime | None:
    """None for `-infinity` (never yet) and `infinity` (never again), which are no times."""
    return at if at is not None and datetime.min.year < at.year < datetime.max.year else None
