"""The statements on the table `worker`."""

from collections.abc import Mapping
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.worker_registry.model import PoolWorker, RegisteredWorker

HEARTBEAT_AGE_S = 10.0  # a worker whose last heartbeat is older counts as gone
FORGOTTEN_S = 3_600.0  # a worker that is silent for longer is no part of the pool any more
MOST_WORKERS = 10_000


class WorkerRegistry:
    """Registers workers, records their heartbeats, flushes and stops, and lists them."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.worker_registry")

    async def register(self, db: asyncpg.Connection, machine: str, pid: int) -> int:
        """Add a worker; the number it gets owns its leases and its counter slot."""
        worker_id: int = await db.fetchval(self._sql.register, machine, pid)
        return worker_id

    async def record_heartbeat(
        self, db: asyncpg.Connection, worker_id: int, figures: Mapping[str, object]
    ) -> datetime | None:
        """Record that a worker is alive; returns the time of the database, None for an unknown worker."""
        now: datetime | None = await db.fetchval(self._sql.record_heartbeat, worker_id, figures)
        return now

    async def record_stop(self, db: asyncpg.Connection, worker_id: int) -> None:
        """Record that a worker has stopped."""
        await db.execute(self._sql.record_stop, worker_id)

    async def record_all_stops(self, db: asyncpg.Connection) -> None:
        """Record that all workers have stopped, after a restore."""
        await db.execute(self._sql.record_all_stops)

    async def begin_flush(self, db: asyncpg.Connection, worker_id: int, number: int) -> str | None:
        """Record the number of a batch; returns the lineage of the URLs, None if the batch was committed."""
        lineage: str | None = await db.fetchval(self._sql.begin_flush, worker_id, number)
        return lineage

    async def live(
        self, db: asyncpg.Connection, heartbeat_age_s: float = HEARTBEAT_AGE_S
    ) -> list[RegisteredWorker]:
        """Workers with a recent heartbeat."""
        rows = await db.fetch(self._sql.live_workers, heartbeat_age_s)
        return [RegisteredWorker(**dict(row)) for row in rows]

    async def pool(self, db: asyncpg.Connection) -> list[PoolWorker]:
        """Workers that have not stopped, also those that are silent since less than an hour."""
        rows = await db.fetch(self._sql.pool_workers, FORGOTTEN_S, MOST_WORKERS)
        return [PoolWorker(**dict(row)) for row in rows]

    async def mark_missing(self, db: asyncpg.Connection, silent_s: float) -> list[RegisteredWorker]:
        """Mark workers without a heartbeat for so long; returns those that were not marked before."""
        rows = await db.fetch(self._sql.mark_missing, silent_s, FORGOTTEN_S)
        return [RegisteredWorker(**dict(row)) for row in rows]

    async def unstopped(self, db: asyncpg.Connection, machine: str) -> list[tuple[int, int]]:
        """Worker and process ids on one machine that never recorded a stop."""
        rows = await db.fetch(self._sql.unstopped_workers, machine)
        return [(row["worker_id"], row["pid"]) for row in rows]
