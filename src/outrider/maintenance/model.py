"""Maintenance tasks: the types."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from outrider.described import DescribedName


class MaintenanceTask(DescribedName):
    """A task, and what it does."""

    CLEANUP = "cleanup", "remove old executions with their logs, and old events"
    ARCHIVE = "archive", "move old data to the archive"
    VACUUM = "vacuum", "let PostgreSQL free space and renew its statistics"
    REBUILD_VISITED = "rebuild-visited", "fill the set of visited URLs in Redis from the database"
    BACKUP = "backup", "write a backup of the database"


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
