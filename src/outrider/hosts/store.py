"""Hosts for screens, and the actions of an operator on a host."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.hosts.model import BreakerState
from outrider.urls import host_id_of

BREAKERS = tuple(BreakerState)
MOST_QUEUED = 100_000


class HostOrder(StrEnum):
    """The order of a list of hosts: the greatest value first."""

    PAGES = "pages"
    ERRORS = "errors"
    SLOW = "slow"
    DELAY = "delay"


@dataclass(frozen=True, slots=True)
class HostView:
    """The statistics and the state of a host. A time without meaning is None."""

    host_id: int
    host: str
    first_seen_at: datetime
    last_fetch_at: datetime | None
    requests: int
    pages: int
    errors: int
    bytes: int
    busy_ms: int
    last_status: int | None
    last_error: str | None
    block_reason: str | None
    asked_delay_ms: int | None
    delay_ms: int | None  # None: no URL of the host was ever queued
    penalty_ms: int
    rate_limited: int  # answers of 429 in a row
    breaker: BreakerState
    failures: int
    robots_failures: int
    due_at: datetime | None
    next_allowed_at: datetime | None
    is_blocked: bool
    leased_to: str | None


class HostStore:
    """Reads and changes hosts for screens and operators; the frontier has the statements of the queue."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.hosts")

    async def all(
        self, db: asyncpg.Connection, order: HostOrder, limit: int, offset: int = 0
    ) -> list[HostView]:
        return [_view(row) for row in await db.fetch(self._sql.hosts, order.value, limit, None, offset)]

    async def count(self, db: asyncpg.Connection, most: int) -> int:
        """How many hosts are known, counted up to `most`."""
        count: int = await db.fetchval(self._sql.count_hosts, most)
        return count

    async def find(self, db: asyncpg.Connection, host: str) -> HostView | None:
        row = await db.fetchrow(self._sql.hosts, HostOrder.PAGES.value, 1, host_id_of(host), 0)
        return None if row is None else _view(row)

    async def queued(self, db: asyncpg.Connection, host: str) -> int:
        """How many URLs of a host are queued, counted up to 100,000."""
        count: int = await db.fetchval(self._sql.queued_of_host, host_id_of(host), MOST_QUEUED)
        return count

    async def block(self, db: asyncpg.Connection, host: str, reason: str, delay_ms: int) -> None:
        """Stop all requests to a host; `delay_ms` is the delay of a host that is new."""
        await db.execute(self._sql.block_host, host_id_of(host), host, reason, delay_ms)

    async def unblock(self, db: asyncpg.Connection, host: str) -> None:
        """Lift the block of a host; raises NotFound when it is not blocked."""
        if await db.fetchval(self._sql.free_host, host_id_of(host), False) is None:
            raise NotFound(f"{host} is not blocked")

    async def reset(self, db: asyncpg.Connection, host: str) -> None:
        """Reset a host (BRK-14): no block, no penalty, a closed circuit, robots.txt fetched again."""
        if await db.fetchval(self._sql.free_host, host_id_of(host), True) is None:
            raise NotFound(f"nothing was ever queued for {host}")

    async def set_delay(self, db: asyncpg.Connection, host: str, asked_ms: int | None, delay_ms: int) -> None:
        """Store the delay an operator asks for, and the delay in force that follows from it."""
        if await db.fetchval(self._sql.set_delay, host_id_of(host), asked_ms, delay_ms) is None:
            raise NotFound(f"nothing was ever queued for {host}")


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
