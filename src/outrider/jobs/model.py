"""Jobs, their states and their intervals: the types."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID


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
class Every:
    """An interval: a number of units."""

    count: int
    unit: Unit

    @classmethod
    def minutes(cls, minutes: int) -> "Every":
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
    """A job as it is stored."""

    job_id: int
    public_id: UUID
    source_id: int
    status: JobStatus
    every: Every | None  # None: it runs once
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
