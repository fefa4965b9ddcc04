"""Use cases of the figures of a crawl: totals and rates for everyone, everything for signed-in users."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.documents.listing import count_new_documents
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.model import Totals
from outrider.frontier.stats import StatsStore
from outrider.services.crawl.stats import DatabaseStats, read_stats, states_by_source
from outrider.services.operations.workers import list_workers
from outrider.worker_registry.model import RegisteredWorker
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.status import PoolHealth

MOST_COUNTED = 100_000  # pages of a day; more are counted as this many


@dataclass(frozen=True, slots=True)
class CrawlTotals:
    """Sums over everything: these may be shown to anyone."""

    pages: int
    documents: int
    requests: int
    bytes: int
    pending: int
    fetched: int
    dead: int
    aliases: int
    pages_per_s: float
    success_ratio: float | None  # requests with an answer of 2xx or 304, of all requests
    workers: int  # live ones
    crawled_today: int  # requests since midnight UTC that brought a page; counted up to 100,000
    indexed_today: int  # pages indexed for the first time since midnight UTC; counted up to 100,000


@dataclass(frozen=True, slots=True)
class CrawlStats(CrawlTotals):
    """The sums, the state of the workers, and every count of the database."""

    pool_health: PoolHealth | None
    database: DatabaseStats


@dataclass(frozen=True, slots=True)
class StateTotals:
    """Entries by state. `total_fetching` are requests under way; these entries are pending, too.

    Nothing stays failed: an entry that failed is pending until its next attempt, or dead.
    """

    total_pending: int
    total_fetching: int
    total_fetched: int
    total_failed: int
    total_dead: int
    total_aliases: int


@dataclass(frozen=True, slots=True)
class FrontierStats(StateTotals):
    """Entries by state, by source and by dead reason (FRO-14)."""

    by_source: Mapping[str, Mapping[str, int]]  # source → state → entries
    dead_by_reason: Mapping[str, int]


async def read_totals(db: asyncpg.Connection, now: datetime) -> CrawlTotals:
    """The sums over everything."""
    async with db.transaction():
        return await _totals(db, await StatsStore().totals(db), await WorkerRegistry().live(db), now)


async def _totals(
    db: asyncpg.Connection, counts: Totals, workers: Sequence[RegisteredWorker], now: datetime
) -> CrawlTotals:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    crawled = await StatsStore().pages_since(db, midnight, MOST_COUNTED)
    indexed = await count_new_documents(db, midnight, MOST_COUNTED)
    others = counts.others
    requests = others.get(CounterName.REQUESTS, 0)
    return CrawlTotals(
        pages=others.get(CounterName.PAGES, 0),
        documents=others.get(CounterName.DOCUMENTS, 0),
        requests=requests,
        bytes=others.get(CounterName.BYTES, 0),
        pending=counts.pending,
        fetched=counts.fetched,
        dead=counts.dead,
        aliases=counts.aliases,
        pages_per_s=round(sum(worker.stats.get("pages_per_s", 0.0) for worker in workers), 2),
        success_ratio=_success_ratio(others),
        workers=len(workers),
        crawled_today=crawled,
        indexed_today=indexed,
    )


async def read_crawl_stats(db: asyncpg.Connection, now: datetime, *, by_source: bool) -> CrawlStats:
    """The sums and every count of the database."""
    stats = await read_stats(db, by_source=by_source)
    # From the same counts and workers: reading them is most of the work.
    totals = await _totals(db, _counts(stats), stats.workers, now)
    pool = await list_workers(db)
    values = {name: getattr(totals, name) for name in CrawlTotals.__dataclass_fields__}
    return CrawlStats(**values, pool_health=pool.health, database=stats)


async def read_frontier_stats(db: asyncpg.Connection) -> FrontierStats:
    """Entries by state, by source and by dead reason."""
    async with db.transaction():
        sources, states = await states_by_source(db)
        reasons = await read_dead_reasons(db)
        workers = await WorkerRegistry().live(db)
    return FrontierStats(
        total_pending=states["pending"],
        total_fetching=sum(int(worker.stats.get("in_flight", 0)) for worker in workers),
        total_fetched=states["fetched"],
        total_failed=0,
        total_dead=states["dead"],
        total_aliases=states["aliases"],
        by_source=sources,
        dead_by_reason=reasons,
    )


async def read_state_totals(db: asyncpg.Connection) -> StateTotals:
    """Entries by state alone."""
    async with db.transaction():
        counts = await StatsStore().states(db)
        workers = await WorkerRegistry().live(db)
    return StateTotals(
        total_pending=counts.pending,
        total_fetching=sum(int(worker.stats.get("in_flight", 0)) for worker in workers),
        total_fetched=counts.fetched,
        total_failed=0,
        total_dead=counts.dead,
        total_aliases=counts.aliases,
    )


async def read_dead_reasons(db: asyncpg.Connection) -> Mapping[str, int]:
    """How many entries are dead for each reason, the most frequent reason first."""
    return await StatsStore().starting_with(db, CounterPrefix.DEAD)


def _counts(stats: DatabaseStats) -> Totals:
    """The counters that the sums are made of."""
    states = stats.states
    by_status = {f"{CounterPrefix.STATUS}{name}": count for name, count in stats.requests_by_status.items()}
    failures = {f"{CounterPrefix.FAILURE}{name}": count for name, count in stats.requests_by_failure.items()}
    sums = {
        CounterName.PAGES.value: stats.pages,
        CounterName.DOCUMENTS.value: stats.documents,
        CounterName.REQUESTS.value: stats.requests,
        CounterName.BYTES.value: stats.bytes,
    }
    return Totals(
        pending=states["pending"],
        fetched=states["fetched"],
        dead=states["dead"],
        aliases=states["aliases"],
        others=sums | by_status | failures,
    )


def _success_ratio(counts: Mapping[str, int]) -> float | None:
    """The share of requests that a server answered as wished."""
    answers = {
        name.removeprefix(CounterPrefix.STATUS): count
        for name, count in counts.items()
        if name.startswith(CounterPrefix.STATUS)
    }
    failures = sum(count for name, count in counts.items() if name.startswith(CounterPrefix.FAILURE))
    total = sum(answers.values()) + failures
    good = sum(count for status, count in answers.items() if status.startswith("2") or status == "304")
    return round(good / total, 4) if total else None
