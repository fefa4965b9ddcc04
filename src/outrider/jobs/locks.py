"""The lock of a running job: who watches the run (SCH-05, SCH-09 to SCH-13). Pure.

A scheduler holds the lock by its token and renews it. If the scheduler dies, the lock becomes stale, another
scheduler takes it over, and the same execution goes on. The database repeats each check in its WHERE clause.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from outrider.errors import Conflict, LockLost
from outrider.jobs.model import Job

STALE_AFTER = timedelta(minutes=5)
RENEW_EVERY = timedelta(seconds=30)


def is_stale(job: Job, now: datetime) -> bool:
    """Whether the lock was not renewed for so long that its scheduler counts as dead."""
    return job.lock_acquired_at is not None and now - job.lock_acquired_at > STALE_AFTER


def check_holder(job: Job, token: UUID) -> None:
    """Raises LockLost if another scheduler holds the lock, or none does (SCH-12)."""
    if job.lock_token != token:
        raise LockLost("another scheduler holds the lock of the job: this one has lost it")


def renew(job: Job, token: UUID, now: datetime) -> Job:
    """The job after its scheduler reported that it is alive (SCH-11)."""
    check_holder(job, token)
    return replace(job, lock_acquired_at=now)


def take_over(job: Job, token: UUID, now: datetime) -> Job:
    """The job with the lock of another scheduler. The state stays: the same execution goes on."""
    if not job.has_open_execution:
        raise Conflict(f"the job is {job.status.value} and no scheduler holds its lock")
    if not is_stale(job, now):
        raise Conflict("another scheduler holds the lock of the job and is alive")
    return replace(job, lock_token=token, lock_acquired_at=now)
