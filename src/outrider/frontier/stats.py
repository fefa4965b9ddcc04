"""Figures of the frontier, for screens and for `why`. Counts come from the counter table only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.model import History, SourceInterest, Totals
from outrider.frontier.rows import interest_of
from outrider.urls import UrlKey

_STATES = (CounterName.PENDING, CounterName.FETCHED, CounterName.DEAD, CounterName.ALIAS)


@dataclass(frozen=True, slots=True)
class HostCounts:
    """How many hosts are leased, waiting and broken; counts stop at 10,000."""

    leased: int
    waiting: int
    broken: int


@dataclass(frozen=True, slots=True)
class RequestStep:
    """The requests to a host within one step of time, which begins at `at`."""

    at: datetime
    requests: int
    answered: int  # with a page, or with the word that it is unchanged
    failed: int  # with an error of the client or server, or with no answer
    bytes: int
    elapsed_ms: int  # the average time of an answer


class StatsStore:
    """Reads counters, entries and their history."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.frontier")

    async def totals(self, db: asyncpg.Connection, source_id: int | None = None) -> Totals:
        """Counts by state, and every other counter by its name."""
        return _totals(await db.fetch(self._sql.counts, source_id))

    async def states(
        self, db: asyncpg.Connection, source_id: int | None = None, others: Sequence[CounterName] = ()
    ) -> Totals:
        """Counts by state, and of the other counters only those that are named: reading all takes long."""
        return _totals(await db.fetch(self._sql.named_counts, [*_STATES, *others], source_id))

    async def starting_with(self, db: asyncpg.Connection, prefix: CounterPrefix) -> dict[str, int]:
        """Counters by what follows the prefix, the greatest first."""
        rows = await db.fetch(self._sql.counts_starting_with, prefix.value)
        found = {row["name"].removeprefix(prefix): row["value"] for row in rows}
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    async def host_counts(self, db: asyncpg.Connection) -> HostCounts:
        [row] = await db.fetch(self._sql.host_counts)
        return HostCounts(**dict(row))

    async def pages_since(self, db: asyncpg.Connection, since: datetime, most: int) -> int:
        """How many requests brought a page since a time, counted up to `most`."""
        count: int = await db.fetchval(self._sql.pages_since, since, most)
        return count

    async def requests_of_host(
        self, db: asyncpg.Connection, host_id: int, since: datetime, step_s: float, most: int
    ) -> list[RequestStep]:
        """The requests to a host in steps of time; steps without a request are left out."""
        rows = await db.fetch(self._sql.requests_of_host, host_id, since, step_s, most)
        return [RequestStep(**dict(row)) for row in rows]

    async def find(self, db: asyncpg.Connection, key: UrlKey) -> Any | None:
        return await db.fetchrow(self._sql.find_url, key.host_id, key.hash)

    async def is_barren(self, db: asyncpg.Connection, host_id: int, template: str) -> bool:
        """Whether the URLs of this template stopped yielding anything new."""
        return bool(await db.fetchval(self._sql.is_barren, host_id, template))

    async def wanted_by(self, db: asyncpg.Connection, key: UrlKey) -> list[SourceInterest]:
        """Every source that wants a shared URL, including the first; empty if the URL is not shared."""
        rows = await db.fetch(self._sql.source_states, [key.host_id], [key.hash])
        return [interest_of(row) for row in rows]

    async def history(self, db: asyncpg.Connection, key: UrlKey, limit: int = 20) -> list[History]:
        rows = await db.fetch(self._sql.history, key.host_id, key.hash, limit)
        return [
            History(
                at=row["at"],
                outcome=row["outcome"],
                status=row["http_status"],
                elapsed_ms=row["elapsed_ms"],
                wire_bytes=row["wire_bytes"],
                worker_id=row["worker_id"],
                content_length=row["content_length"],
                content_type=row["content_type"],
                error_message=row["error_message"],
            )
            for row in rows
        ]


def _totals(rows: Any) -> Totals:
    counts = {row["name"]: row["value"] for row in rows}
    return Totals(
        pending=counts.pop(CounterName.PENDING, 0),
        fetched=counts.pop(CounterName.FETCHED, 0),
        dead=counts.pop(CounterName.DEAD, 0),
        aliases=counts.pop(CounterName.ALIAS, 0),
        others={name: value for name, value in sorted(counts.items()) if value},
    )
