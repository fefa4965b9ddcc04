"""Jobs, their states and their intervals: the types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

MAX_RETRIES = 3  # after the first run (CON-16)
RETRY_BACKOFF_S = 60
LONGEST_INTERVAL = timedelta(days=366)


class JobStatus(StrEnum):
    """The state of a job (JOB-02)."""

    PENDING = "pending"  # to be run at once
    SCHEDULED = "scheduled"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Unit(StrEnum):
    """The unit of an interval (JOB-07)."""

    MINUTES = "minutes"
    HOURS = "hours"
    DAYS = "days"


_MINUTES = {Unit.MINUTES: 1, Unit.HOURS: 60, Unit.DAYS: 1440}


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval: a number of units."""

    count: int
    unit: Unit

    @classmethod
    def minutes(cls, minutes: int) -> "Interval":
        """The interval in the largest unit that divides it."""
        unit = next(unit for unit in (Unit.DAYS, Unit.HOURS, Unit.MINUTES) if minutes % _MINUTES[unit] == 0)
        return cls(minutes // _MINUTES[unit], unit)

    @property
    def length(self) -> timedelta:
        return timedelta(minutes=self.count * _MINUTES[self.unit])

    def __str__(self) -> str:
        return f"{self.count} {self.unit.value if self.count != 1 else self.unit.value.removesuffix('s')}"


class PausedBy(StrEnum):
    """What ends the pause of a job."""

    SOURCE = "source"  # the source is disabled: enabling it resumes the job
    OPERATOR = "operator"  # the command of an operator


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is stored (JOB-01). A field whose column a row lacks has its default."""

    job_id: int
    public_id: UUID
    source_id: int
    status: JobStatus
    every: Interval | None  # None: it runs once
    priority: int
    auto_managed: bool
    next_run_at: datetime | None
    paused_at: datetime | None
    paused_by: PausedBy | None
    started_at: datetime | None
    completed_at: datetime | None
    runs: int
    failure_count: int
    last_failure_at: datetime | None
    backoff_until: datetime | None
    error_message: str | None
    created_at: datetime
    updated_at: datetime
    type: str = "crawl"
    adaptive_scheduling: bool = True
    cancelled_at: datetime | None = None
    lock_token: UUID | None = None  # the scheduler that watches the open execution
    lock_acquired_at: datetime | None = None  # when that scheduler last renewed the lock
    max_retries: int = MAX_RETRIES
    retry_backoff_seconds: int = RETRY_BACKOFF_S
    current_retry_count: int = 0
    slot_at: datetime | None = None  # a time of the rhythm; a retry or a forced run does not move it
    placed_at: datetime | None = None  # when a slot was last chosen for the job (BAL-06)
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_paused(self) -> bool:
        """Whether the job waits for a resume."""
        return self.status is JobStatus.PAUSED

    @property
    def interval(self) -> timedelta | None:
        """The time between two runs; None: it runs once."""
        return None if self.every is None else self.every.length

    @property
    def is_recurring(self) -> bool:
        """Whether the job has an interval: `schedule_enabled` in the view of jobs (JOB-06)."""
        return self.every is not None

    @property
    def has_open_execution(self) -> bool:
        """Whether a run is going on. After a cancel the run ends when its last requests are written."""
        return self.lock_token is not None
