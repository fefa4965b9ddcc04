"""The use case of `outrider stats`: all counts of a database at one moment (FRO-14).

The counts are maintained, so no table of URLs is scanned.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.store import DocumentStore
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.stats import HostCounts, StatsStore
from outrider.worker_registry.model import RegisteredWorker
from outrider.worker_registry.store import WorkerRegistry

GROUPS = {
    "dead_by_reason": CounterPrefix.DEAD,
    "requests_by_status": CounterPrefix.STATUS,
    "requests_by_failure": CounterPrefix.FAILURE,
    "skipped_by_reason": CounterPrefix.SKIPPED,
    "pages_by_type": CounterPrefix.PAGE_TYPE,
    "texts_by_method": CounterPrefix.METHOD,
    "unindexed_by_reason": CounterPrefix.UNINDEXED,
    "pages_by_words": CounterPrefix.WORDS,
}
_TOTALS = (
    CounterName.PAGES,
    CounterName.DOCUMENTS,
    CounterName.DUPLICATES,
    CounterName.NEAR_DUPLICATES,
    CounterName.REDIRECTS,
    CounterName.RETRIES,
    CounterName.REQUESTS,
    CounterName.BYTES,
)
STATES = {  # how each is shown
    CounterName.PENDING: "pending",
    CounterName.FETCHED: "fetched",
    CounterName.DEAD: "dead",
    CounterName.ALIAS: "aliases",
}


@dataclass(frozen=True, slots=True)
class Overview:
    """The contents of the database and its current activity."""

    sources: Mapping[str, Mapping[str, int]] | None  # source → state → entries; None: not asked for
    counts: Counter[str]  # of all sources together; what several of them share is counted once
    host_counts: HostCounts
    workers: Sequence[RegisteredWorker]
    database_bytes: int
    uncompared: int  # documents that wait to be searched for near-duplicates

    def group(self, prefix: CounterPrefix) -> dict[str, int]:
        """Counters such as `dead.not_found` by what follows the dot, most first."""
        found = {
            name.removeprefix(prefix): value for name, value in self.counts.items() if name.startswith(prefix)
        }
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class DatabaseStats:
    """The counts of a database, by their names in JSON."""

    states: Mapping[str, int]
    pages: int
    documents: int
    duplicates: int
    near_duplicates: int
    redirects: int
    retries: int
    requests: int
    bytes: int
    sources: Mapping[str, Mapping[str, int]] | None  # source → state → entries; None: not asked for
    dead_by_reason: Mapping[str, int]
    requests_by_status: Mapping[str, int]
    requests_by_failure: Mapping[str, int]
    skipped_by_reason: Mapping[str, int]
    pages_by_type: Mapping[str, int]
    texts_by_method: Mapping[str, int]
    unindexed_by_reason: Mapping[str, int]
    pages_by_words: Mapping[str, int]
    hosts: HostCounts
    workers: Sequence[RegisteredWorker]
    uncompared: int  # documents that wait to be searched for near-duplicates
    database_bytes: int


async def read_stats(db: asyncpg.Connection, *, by_source: bool = True) -> DatabaseStats:
    """Every count at one moment. Those of thousands of sources take longer to read than all others."""
    async with db.transaction():
        look = await _overview(db, by_source)
    counts = look.counts
    totals: dict[str, Any] = {name.value: counts[name] for name in _TOTALS}
    groups: dict[str, Any] = {name: look.group(prefix) for name, prefix in GROUPS.items()}
    return DatabaseStats(
        states=_states(counts),
        **totals,
        sources=look.sources,
        **groups,
        hosts=look.host_counts,
        workers=look.workers,
        uncompared=look.uncompared,
        database_bytes=look.database_bytes,
    )


def _states(counts: Mapping[str, int]) -> dict[str, int]:
    """Entries by state."""
    return {shown: counts.get(name, 0) for name, shown in STATES.items()}


async def states_by_source(
    db: asyncpg.Connection,
) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
    """The entries of each source by state, and those of all."""
    rows = await db.fetch(Queries.load("outrider.services").states_by_source)
    shown, columns = list(STATES.values()), list(zip(*rows, strict=True))
    if not columns:
        return {}, dict.fromkeys(shown, 0)
    _, names, *counts = columns
    states = [dict(zip(shown, each, strict=True)) for each in zip(*counts, strict=True)]
    named = {name: each for row, name, each in zip(rows, names, states, strict=True) if row["source_id"] != 0}
    return named, {state: sum(each) for state, each in zip(shown, counts, strict=True)}


async def _overview(db: asyncpg.Connection, by_source: bool) -> Overview:
    sql = Queries.load("outrider.services")
    counts = Counter({row["name"]: row["value"] for row in await db.fetch(sql.counter_totals)})
    stats = StatsStore()
    return Overview(
        sources=(await states_by_source(db))[0] if by_source else None,
        counts=counts,
        host_counts=await stats.host_counts(db),
        workers=await WorkerRegistry().live(db),
        database_bytes=await db.fetchval(sql.database_size),
        uncompared=await DocumentStore().count_unsigned(db),
    )
