"""Maintenance tasks: the types."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID


class MaintenanceTask(StrEnum):
    """A task that an operator can ask for."""

    CLEANUP = "cleanup"
    ARCHIVE = "archive"
    VACUUM = "vacuum"
    REBUILD_VISITED = "rebuild-visited"
    BACKUP = "backup"

    @property
    def sentence(self) -> str:
        """What it does."""
        return _SENTENCES[self]


_SENTENCES = {
    MaintenanceTask.CLEANUP: "remove old executions with their logs, and old events",
    MaintenanceTask.ARCHIVE: "move old data to the archive",
    MaintenanceTask.VACUUM: "let PostgreSQL free space and renew its statistics",
    MaintenanceTask.REBUILD_VISITED: "fill the set of visited URLs in Redis from the database",
    MaintenanceTask.BACKUP: "write a backup of the database",
}


class TaskState(StrEnum):
    """The state of a task that was asked for."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TaskRecord:
    """One time that a task was asked for."""

    task_id: UUID
    task: MaintenanceTask
    state: TaskState
    requested_by: str
    started_at: datetime
    beat_at: datetime
    ended_at: datetime | None
    result: Mapping[str, Any]
    error: str | None
