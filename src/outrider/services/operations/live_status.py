"""Health and figures at this moment, as streams show them. Read every few seconds, so they cost little."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import asyncpg

from outrider.events.log import measure_lag
from outrider.events.periodic_tasks import LONGEST_HELD_S
from outrider.frontier.counter_name import CounterName
from outrider.frontier.stats import StatsStore
from outrider.jobs.schedulers import list_schedulers
from outrider.runs.store import RunStore
from outrider.services.operations.workers import WorkerPool, list_workers
from outrider.services.positions import snapshot
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.status import PoolHealth

_SHOWN = (
    CounterName.PAGES,
    CounterName.DOCUMENTS,
    CounterName.REQUESTS,
    CounterName.REDIRECTS,
    CounterName.RETRIES,
    CounterName.BYTES,
)


class PipelineStage(StrEnum):
    """The stages that a URL goes through."""

    QUEUED = "queued"  # it waits
    FETCHING = "fetching"  # a request is under way
    FETCHED = "fetched"  # pages visited since the beginning
    STORED = "stored"  # pages kept as documents
    DEAD = "dead"  # entries given up


@dataclass(frozen=True, slots=True)
class LiveMetrics:
    """The figures of the whole crawler."""

    position: str
    queued: int
    fetched: int
    dead: int
    counters: Mapping[str, int]
    workers: int
    in_flight: int
    pages_per_s: float
    running: int  # runs

    @property
    def stages(self) -> Mapping[PipelineStage, int]:
        return {
            PipelineStage.QUEUED: self.queued,
            PipelineStage.FETCHING: self.in_flight,
            PipelineStage.FETCHED: self.counters[CounterName.PAGES],
            PipelineStage.STORED: self.counters[CounterName.DOCUMENTS],
            PipelineStage.DEAD: self.dead,
        }

    def json_form(self) -> dict[str, Any]:
        """The counters beside the other figures."""
        return {
            "queued": self.queued,
            "fetched": self.fetched,
            "dead": self.dead,
            **self.counters,
            "workers": self.workers,
            "in_flight": self.in_flight,
            "pages_per_s": self.pages_per_s,
            "running": self.running,
        }


@dataclass(frozen=True, slots=True)
class LiveHealth:
    """The health of the crawler and of its parts, each in one word and some numbers."""

    position: str
    status: PoolHealth
    checks: Mapping[str, Mapping[str, Any]]


async def read_metrics(db: asyncpg.Connection) -> LiveMetrics:
    """The figures of one moment, from maintained counters and heartbeats."""
    async with snapshot(db) as position:
        totals = await StatsStore().totals(db)
        live = await WorkerRegistry().live(db)
        running = await RunStore().open_runs(db)
    return LiveMetrics(
        position=position,
        queued=totals.pending,
        fetched=totals.fetched,
        dead=totals.dead,
        counters={name.value: totals.others.get(name, 0) for name in _SHOWN},
        workers=len(live),
        in_flight=sum(worker.stats.get("in_flight", 0) for worker in live),
        pages_per_s=round(sum(worker.stats.get("pages_per_s", 0.0) for worker in live), 2),
        running=len(running),
    )


async def read_health(db: asyncpg.Connection) -> LiveHealth:
    """The health of one moment. A crawler without workers is healthy: nothing was asked of it."""
    async with snapshot(db) as position:
        schedulers = sum(each.is_alive for each in await list_schedulers(db))
        lag = await measure_lag(db)
    workers = await list_workers(db)
    is_late = lag.waiting > 0 and lag.waiting_s > LONGEST_HELD_S
    checks: dict[str, Mapping[str, Any]] = {
        "database": {"status": PoolHealth.HEALTHY},
        "workers": {"status": _health(workers), "live": workers.live, "total": workers.total},
        "schedulers": {"status": PoolHealth.HEALTHY, "live": schedulers},
        "events": {"status": PoolHealth.DEGRADED if is_late else PoolHealth.HEALTHY},
    }
    is_degraded = any(check["status"] is not PoolHealth.HEALTHY for check in checks.values())
    return LiveHealth(position, PoolHealth.DEGRADED if is_degraded else PoolHealth.HEALTHY, checks)


def without_database(why: str) -> LiveHealth:
    """The health while the database does not answer."""
    checks = {"database": {"status": PoolHealth.UNHEALTHY, "error": why}}
    return LiveHealth("", PoolHealth.UNHEALTHY, checks)


def _health(workers: WorkerPool) -> PoolHealth:
    return workers.health or PoolHealth.HEALTHY
