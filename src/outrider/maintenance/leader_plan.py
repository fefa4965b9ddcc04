"""The table `leader_task`: when each task of the leading scheduler ran, and when it runs again."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.logs import get_logger
from outrider.periodic_tasks import PeriodicTask

log = get_logger()

PRUNE_RUNS = "prune runs"  # the part of a cleanup that the leader repeats
LONGEST_ERROR = 2_000
PATIENCE_S = 10.0

Fence = Callable[[asyncpg.Connection], Awaitable[None]]

_SQL = Queries.load("outrider.maintenance")


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A task that the leading scheduler repeats. A new leader runs every task at once."""

    name: str
    every_s: float
    last_started_at: datetime
    last_ended_at: datetime
    last_error: str | None
    next_run_at: datetime  # in the past: the task is running, or no scheduler leads
    runs: int


async def read_plan(db: asyncpg.Connection) -> Sequence[PlannedTask]:
    """The tasks that have run at least once, by name."""
    return [PlannedTask(**dict(row)) for row in await db.fetch(_SQL.leader_tasks)]


def recorded(task: PeriodicTask, connection: ReconnectingConnection, fence: Fence) -> PeriodicTask:
    """The task; each run of it is written down. `fence` raises in a process that does not lead any more."""

    async def write(started_at: datetime, error: str | None) -> None:
        async def record(db: asyncpg.Connection) -> None:
            async with db.transaction():
                await fence(db)
                await db.execute(_SQL.record_leader_task, task.name, task.every_s, started_at, error)

        try:
            await connection.run(record, patience_s=PATIENCE_S)
        except Unavailable as failure:  # the work is done, so it must not be repeated for its record
            log.warning("run of a leader task not recorded", task=task.name, error=str(failure))

    async def run() -> None:
        started_at = datetime.now(UTC)
        try:
            await task.run()
        except Exception as error:
            await write(started_at, (str(error) or type(error).__name__)[:LONGEST_ERROR])
            raise
        await write(started_at, None)

    return replace(task, run=run)
