"""Jobs and runs for tests that need no database."""

from dataclasses import fields
from typing import Any
from uuid import UUID

from tests.support.sources import NOON

from outrider.jobs.model import Interval, Job, JobStatus, PausedBy, Unit
from outrider.runs.model import Run, RunStatus, StartedBy

TOKEN, OTHER_TOKEN = UUID(int=11), UUID(int=12)


def make_job(status: JobStatus = JobStatus.SCHEDULED, **changes: Any) -> Job:
    """A job of an operator that runs every six hours and is due at noon, unless `changes` say otherwise."""
    values: dict[str, Any] = {
        "job_id": 1,
        "public_id": UUID(int=1),
        "source_id": 7,
        "status": status,
        "every": Interval(6, Unit.HOURS),
        "priority": 50,
        "auto_managed": False,
        "next_run_at": NOON,
        "paused_at": None,
        "paused_by": None,
        "started_at": None,
        "completed_at": None,
        "runs": 0,
        "failure_count": 0,
        "last_failure_at": None,
        "backoff_until": None,
        "error_message": None,
        "created_at": NOON,
        "updated_at": NOON,
        "slot_at": NOON,
    }
    return Job(**values | changes)


def job_in(status: JobStatus, **changes: Any) -> Job:
    """A job with the fields that its state needs."""
    by_status: dict[JobStatus, dict[str, Any]] = {
        JobStatus.RUNNING: {
            "lock_token": TOKEN,
            "lock_acquired_at": NOON,
            "started_at": NOON,
            "runs": 1,
        },
        JobStatus.PAUSED: {"paused_at": NOON, "paused_by": PausedBy.OPERATOR, "next_run_at": None},
        JobStatus.CANCELLED: {"cancelled_at": NOON, "next_run_at": None},
        JobStatus.FAILED: {"next_run_at": None, "failure_count": 4, "current_retry_count": 3},
        JobStatus.COMPLETED: {"next_run_at": None, "every": None, "slot_at": None},
    }
    return make_job(status, **by_status.get(status, {}) | changes)


def make_run(number: int = 1, status: RunStatus = RunStatus.RUNNING, **changes: Any) -> Run:
    """A run that started at noon."""
    values: dict[str, Any] = {
        "run_id": number,
        "public_id": UUID(int=number),
        "source_id": 7,
        "job_id": 1,
        "execution_number": number,
        "status": status,
        "started_by": StartedBy.SCHEDULE,
        "retry_attempt": 0,
        "started_at": NOON,
    }
    return Run(**values | changes)


def changed_fields(before: Job, after: Job) -> dict[str, Any]:
    """The fields that an action changed, with their new values."""
    names = [each.name for each in fields(Job)]
    return {name: getattr(after, name) for name in names if getattr(before, name) != getattr(after, name)}
