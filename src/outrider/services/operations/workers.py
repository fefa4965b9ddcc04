"""The use case of `outrider workers`: every worker that has not stopped, and the health of all together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.worker_registry.model import PoolWorker
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.status import PoolHealth, WorkerStatus, health_of, status_of


@dataclass(frozen=True, slots=True)
class WorkerSummary:
    """A worker by its last heartbeat."""

    id: int
    name: str
    machine: str
    pid: int
    status: WorkerStatus
    current_urls: Sequence[str]  # of some of its requests under way
    pages: int
    pages_per_s: float
    started_at: datetime
    last_heartbeat_at: datetime
    silent_s: float


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """All workers that have not stopped."""

    health: PoolHealth | None  # None: there are no workers
    live: int
    total: int
    workers: Sequence[WorkerSummary]


async def list_workers(db: asyncpg.Connection) -> WorkerPool:
    """The workers of all machines, also those that fell silent within the last hour."""
    async with db.transaction():
        found = [_summary(worker) for worker in await WorkerRegistry().pool(db)]
    statuses = [worker.status for worker in found]
    live = len(statuses) - statuses.count(WorkerStatus.SILENT)
    return WorkerPool(health_of(statuses), live, len(found), found)


def _summary(worker: PoolWorker) -> WorkerSummary:
    figures, status = worker.stats, status_of(worker.stats, worker.silent_s)
    is_live = status is not WorkerStatus.SILENT
    return WorkerSummary(
        id=worker.worker_id,
        name=figures.get("name", str(worker.worker_id)),
        machine=worker.machine.partition(":")[0],
        pid=worker.pid,
        status=status,
        current_urls=figures.get("urls", []),
        pages=figures.get("pages", 0),
        pages_per_s=figures.get("pages_per_s", 0.0) if is_live else 0.0,
        started_at=worker.started_at,
        last_heartbeat_at=worker.beat_at,
        silent_s=round(worker.silent_s, 1),
    )
