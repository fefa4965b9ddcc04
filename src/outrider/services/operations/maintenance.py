"""Use cases of maintenance: ask for a task, carry it out in the background, and show the history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import asyncpg

from outrider.backup.files import BackupFolder
from outrider.backup.policy import next_backup_at
from outrider.backup.task import backup_work, read_history
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured, OutriderError, Unavailable
from outrider.events.store import EventStore
from outrider.jobs.housekeeping import prune_runs
from outrider.log_archive import log_archive_of
from outrider.maintenance.carry_out import carry_out_task
from outrider.maintenance.leader_plan import PRUNE_RUNS, PlannedTask, read_plan
from outrider.maintenance.model import MaintenanceTask, TaskRecord
from outrider.maintenance.store import MaintenanceStore
from outrider.run_logs.archive import forget_old_archives
from outrider.services.urls.visited import check_sharing, rebuild_visited_set
from outrider.settings import Settings

MOST_RECORDS = 100
BACKUP_S = 86_400.0
CLEANUP_S = 3_600.0  # the leading scheduler and workers clean up once an hour

_MISSING = {
    MaintenanceTask.ARCHIVE: "old data has no archive yet; the logs of runs are archived by themselves",
}

_REPEATED = {PRUNE_RUNS: MaintenanceTask.CLEANUP}


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """A task that can be asked for."""

    task: MaintenanceTask
    description: str
    available: bool
    unavailable_reason: str | None
    every_s: float | None  # how often it runs by itself; None: only when it is asked for
    last: TaskRecord | None
    next_run_at: datetime | None  # None: it is not scheduled, or no leader has run it yet


@dataclass(frozen=True, slots=True)
class MaintenanceReport:
    """All tasks, the last times that they were asked for, and what the leading scheduler repeats."""

    tasks: Sequence[TaskSummary]
    history: Sequence[TaskRecord]
    periodic: Sequence[PlannedTask]


def check_available(settings: Settings, task: MaintenanceTask) -> None:
    """Raise Unavailable or Misconfigured, with the reason, if the task cannot be carried out here."""
    if task in _MISSING:
        raise Unavailable(_MISSING[task])
    if task is MaintenanceTask.REBUILD_VISITED:
        check_sharing(settings.crawl)
    if task is MaintenanceTask.BACKUP and settings.database.through_pooler:
        raise Misconfigured("a backup needs a direct connection and no pooler")


async def show_maintenance(db: asyncpg.Connection, settings: Settings) -> MaintenanceReport:
    """Each task with its newest record and its next run, the history, and the plan of the leader."""
    store = MaintenanceStore()
    async with db.transaction():
        newest, history = await store.newest(db), await store.history(db, MOST_RECORDS)
        plan = await read_plan(db)
        backups = await read_history(db)
    due = {task: each.next_run_at for each in plan if (task := _REPEATED.get(each.name)) is not None}
    every_s = {MaintenanceTask.CLEANUP: CLEANUP_S}
    if settings.has_daily_backup:
        due[MaintenanceTask.BACKUP] = next_backup_at(backups, settings.backup.at)
        every_s[MaintenanceTask.BACKUP] = BACKUP_S
    summaries = [
        _summary(settings, each, every_s.get(each), newest.get(each), due.get(each))
        for each in MaintenanceTask
    ]
    return MaintenanceReport(summaries, history, plan)


async def show_task(db: asyncpg.Connection, task_id: UUID) -> TaskRecord:
    """One record; raises NotFound."""
    return await MaintenanceStore().by_id(db, task_id)


async def begin_task(
    db: asyncpg.Connection, settings: Settings, task: MaintenanceTask, requested_by: str
) -> TaskRecord:
    """Record that a task begins; the caller then calls `carry_out`. Raises Conflict while it runs."""
    check_available(settings, task)
    async with db.transaction():
        return await MaintenanceStore().begin(db, task, requested_by)


async def carry_out(settings: Settings, dsn: str, record: TaskRecord) -> None:
    """Do the work of a task and record how it ended. Raises nothing but a cancellation."""
    work, beats = (_connection(settings, dsn, name) for name in ("maintenance", "maintenance beat"))
    try:
        await carry_out_task(beats, record, partial(_work, settings, dsn, work, record.task))
    finally:
        await work.close()
        await beats.close()


async def _work(
    settings: Settings,
    dsn: str,
    connection: ReconnectingConnection,
    task: MaintenanceTask,
    progress: dict[str, Any],
) -> Mapping[str, Any]:
    match task:
        case MaintenanceTask.CLEANUP:
            objects = log_archive_of(settings)
            runs = await prune_runs(connection, _permit, objects.delete)
            await connection.run(EventStore().forget_old)
            archives = await forget_old_archives(connection, objects, settings.run_logs.kept_days)
            return {"runs_removed": runs, "logs_removed": archives}
        case MaintenanceTask.REBUILD_VISITED:
            rebuilt = await rebuild_visited_set(
                connection,
                settings.crawl,
                settings.redis,
                settings.frontier,
                lambda urls: progress.update(urls=urls),
            )
            return {"urls": rebuilt.urls}
        case MaintenanceTask.VACUUM:
            has_timeout = not settings.database.through_pooler
            await connection.run(
                lambda db: MaintenanceStore().vacuum(db, has_timeout=has_timeout), is_one_statement=True
            )
            return {}
        case MaintenanceTask.BACKUP:
            folder = BackupFolder(settings.backup_folder)
            return await backup_work(dsn, folder, settings.backup)(progress)
        case _:
            raise Unavailable(_MISSING[task])


async def _permit(_: asyncpg.Connection) -> None:
    """An operator asked for it, so this process may write."""


def _connection(settings: Settings, dsn: str, name: str) -> ReconnectingConnection:
    return ReconnectingConnection(
        dsn, application_name=f"outrider {name}", through_pooler=settings.database.through_pooler
    )


def _summary(
    settings: Settings,
    task: MaintenanceTask,
    every_s: float | None,
    last: TaskRecord | None,
    next_run_at: datetime | None,
) -> TaskSummary:
    reason = None
    try:
        check_available(settings, task)
    except OutriderError as error:
        reason = str(error)
    return TaskSummary(task, task.sentence, reason is None, reason, every_s, last, next_run_at)
