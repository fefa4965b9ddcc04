"""The table `maintenance_task`."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import Conflict, NotFound
from outrider.maintenance.model import MaintenanceTask, TaskRecord, TaskState

SILENT_S = 60.0  # a process that has not renewed its task for this long has died
KEPT_DAYS = 365
LONGEST_ERROR = 2_000
LOST = "the process that carried it out ended before the task did"

_SQL = Queries.load("outrider.maintenance")


class MaintenanceStore:
    """Begins, renews and ends tasks. The caller opens the transaction."""

    async def begin(self, db: asyncpg.Connection, task: MaintenanceTask, requested_by: str) -> TaskRecord:
        """Record that a task begins; raises Conflict while the same task runs."""
        await self.close_lost(db)
        await db.execute(_SQL.forget_tasks, KEPT_DAYS)
        row = await db.fetchrow(_SQL.begin_task, task.value, requested_by[:200])
        if row is None:
            raise Conflict(f"the task {task.value} is running already: wait until it has ended")
        return _record(row)

    async def close_lost(self, db: asyncpg.Connection) -> None:
        """Close the tasks of processes that have died."""
        await db.execute(_SQL.close_lost_tasks, SILENT_S, LOST)

    async def renew(self, db: asyncpg.Connection, task_id: UUID, progress: Mapping[str, Any]) -> None:
        await db.execute(_SQL.renew_task, task_id, dict(progress))

    async def end(
        self, db: asyncpg.Connection, task_id: UUID, result: Mapping[str, Any], error: str | None = None
    ) -> None:
        """Record how a task ended; with an error it has failed."""
        await db.execute(_SQL.end_task, task_id, dict(result), error and error[:LONGEST_ERROR])

    async def close_restored(self, db: asyncpg.Connection, result: Mapping[str, Any]) -> None:
        """Close the tasks that ran when a backup was written; `result` is that of the backup itself."""
        await db.execute(_SQL.close_restored_tasks, dict(result), LOST)

    async def record(
        self,
        db: asyncpg.Connection,
        task: MaintenanceTask,
        requested_by: str,
        result: Mapping[str, Any],
        error: str | None = None,
    ) -> None:
        """Record a task that took no time."""
        await db.execute(
            _SQL.record_task, task.value, requested_by[:200], dict(result), error and error[:LONGEST_ERROR]
        )

    async def history(self, db: asyncpg.Connection, most: int) -> list[TaskRecord]:
        return [_record(row) for row in await db.fetch(_SQL.task_history, most)]

    async def newest(self, db: asyncpg.Connection) -> dict[MaintenanceTask, TaskRecord]:
        """The newest record of each task that was ever asked for."""
        records = [_record(row) for row in await db.fetch(_SQL.newest_of_each_task)]
        return {record.task: record for record in records}

    async def by_id(self, db: asyncpg.Connection, task_id: UUID) -> TaskRecord:
        """Raises NotFound if there is no such record."""
        row = await db.fetchrow(_SQL.task_by_id, task_id)
        if row is None:
            raise NotFound(f"there is no maintenance task {task_id}")
        return _record(row)

    async def vacuum(self, db: asyncpg.Connection, *, has_timeout: bool) -> None:
        """Vacuum all tables; outside of a transaction, and however long it takes.

        `has_timeout`: statements of this connection have a timeout, which is switched off first.
        """
        if has_timeout:
            await db.execute(_SQL.no_statement_timeout)
        await db.execute(_SQL.vacuum_database, timeout=None)


def _record(row: Any) -> TaskRecord:
    typed = {"task": MaintenanceTask(row["task"]), "state": TaskState(row["state"])}
    return TaskRecord(**dict(row) | typed)
