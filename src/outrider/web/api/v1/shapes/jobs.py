"""The JSON of jobs."""

from datetime import datetime
from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from outrider.jobs.model import JobStatus, PausedBy, Unit


class AdaptiveShape(TypedDict):
    """What is known about the changes of a source."""

    last_hash: str
    last_change_at: datetime
    unchanged_count: int
    current_interval: float


class JobShape(TypedDict):
    """A job by the names of the view `jobs`: `interval_minutes` counts `interval_type`."""

    id: UUID
    number: int
    source_name: str
    source_id: int
    status: JobStatus
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
    type: str
    adaptive_scheduling: bool
    cancelled_at: datetime | None
    lock_token: UUID | None
    lock_acquired_at: datetime | None
    max_retries: int
    retry_backoff_seconds: int
    current_retry_count: int
    slot_at: datetime | None
    placed_at: datetime | None
    metadata: dict[str, Any]
    url: str
    labels: list[str]
    is_paused: bool
    schedule_enabled: bool
    current_interval_s: float | None
    unchanged_count: int
    adaptive_reason: str | None
    adaptive: AdaptiveShape | None
    source_enabled: bool
    interval_minutes: int | None
    interval_type: Unit | None
