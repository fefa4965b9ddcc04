"""Runs: the types."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID


class RunStatus(StrEnum):
    """The state of a run (JOB-14)."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class StartedBy(StrEnum):
    """What started a run."""

    SCHEDULE = "schedule"
    OPERATOR = "operator"
    COMMAND = "command"  # `outrider crawl`, whose process ends the run; a scheduler ends all others


class CancelledBy(StrEnum):
    """What cancelled a run."""

    OPERATOR = "operator"
    TIMEOUT = "timeout"  # the run took longer than the execution timeout (JOB-19)


class OpenRun(NamedTuple):
    """What a worker needs to know of a run."""

    run_id: int
    source_id: int
    is_cancelled: bool


class OpenCrawl(NamedTuple):
    """An open run without a job."""

    run_id: int
    source_id: int
    started_by: StartedBy
    is_cancelled: bool
    waiting: int  # entries that are not settled


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is stored."""

    run_id: int
    public_id: UUID
    source_id: int
    job_id: int | None
    execution_number: int
    status: RunStatus
    started_by: StartedBy
    retry_attempt: int
    started_at: datetime
    completed_at: datetime | None = None
    cancel_at: datetime | None = None
    cancel_reason: str | None = None
    cancelled_by: CancelledBy | None = None
    items_crawled: int = 0
    items_indexed: int = 0
    error_message: str | None = None
    stack_trace: str | None = None
    cpu_time_ms: int | None = None
    memory_peak_mb: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    log_object_key: str | None = None
    log_size_bytes: int | None = None
    log_line_count: int | None = None

    @property
    def is_open(self) -> bool:
        return self.status is RunStatus.RUNNING

    @property
    def is_cancelled(self) -> bool:
        """Whether its end was asked for, even if some of its requests are still under way."""
        return self.cancel_at is not None

    @property
    def duration(self) -> timedelta | None:
        """How long the run took; None while it runs. Never negative, even if a clock was set back."""
        return None if self.completed_at is None else max(timedelta(), self.completed_at - self.started_at)


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """How a run ends."""

    status: RunStatus
    error: str | None = None
