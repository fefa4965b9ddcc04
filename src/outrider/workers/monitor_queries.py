"""The queries of the monitor. Each is bounded; none scans a large table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries


@dataclass(frozen=True, slots=True)
class HostActivity:
    """How many hosts are leased, and when the next ones are due."""

    leased: int
    due_in_s: float | None  # until the next host is due; None: nothing is queued
    resting_in_s: float | None  # until the delay of a host with queued URLs is over
    is_searching: bool  # the search for feeds of a watched source is not finished


@dataclass(frozen=True, slots=True)
class RequestIntervals:
    """Seconds between two requests to a host: for the fastest and the slowest host in play."""

    least_s: float = 0.0
    most_s: float = 0.0


@dataclass(frozen=True, slots=True)
class SlowHost:
    """A host and how long it takes to answer, on average."""

    host: str
    answer_ms: int


@dataclass(frozen=True, slots=True)
class LostTemplate:
    """A URL template that yields nothing new, and how many of its pages were fetched."""

    host: str
    template: str
    fetched: int


@dataclass(frozen=True, slots=True)
class DeadUrl:
    """A dead URL, and the page with the link to it."""

    url: str
    parent_url: str | None = None


class MonitorQueries:
    """Reads only."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.workers")

    async def host_activity(self, db: asyncpg.Connection) -> HostActivity:
        [row] = await db.fetch(self._sql.host_activity)
        return HostActivity(**row)

    async def pace(self, db: asyncpg.Connection) -> RequestIntervals:
        [row] = await db.fetch(self._sql.pace)
        return RequestIntervals((row["least"] or 0) / 1000, (row["most"] or 0) / 1000)

    async def slowest_at_work(self, db: asyncpg.Connection, limit: int) -> Sequence[SlowHost]:
        return [SlowHost(**dict(row)) for row in await db.fetch(self._sql.slowest_at_work, limit)]

    async def slowest_since(self, db: asyncpg.Connection, since: datetime, limit: int) -> Sequence[SlowHost]:
        return [SlowHost(**dict(row)) for row in await db.fetch(self._sql.slowest_since, since, limit)]

    async def dead_examples(
        self, db: asyncpg.Connection, source_id: int, limit: int
    ) -> dict[str, list[DeadUrl]]:
        """Up to `limit` addresses for each reason, the latest first."""
        found: dict[str, list[DeadUrl]] = {}
        for row in await db.fetch(self._sql.dead_examples, source_id, limit):
            found.setdefault(row["reason"], []).append(DeadUrl(row["url"], row["parent_url"]))
        return found

    async def lost_templates(
        self, db: asyncpg.Connection, since: datetime, limit: int
    ) -> Sequence[LostTemplate]:
        return [LostTemplate(**dict(row)) for row in await db.fetch(self._sql.lost_templates, since, limit)]
