"""What each action does to a job: the job and the time in, the changed job out. Pure.

The store writes the changed job. Every change of the state goes through `states.transition`, every action of
an operator through `states.check_action`.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from outrider.errors import Conflict
from outrider.jobs.locks import check_holder
from outrider.jobs.model import Interval, Job, JobStatus, PausedBy
from outrider.jobs.rhythm import next_run_after
from outrider.jobs.run_error import RunError
from outrider.jobs.schedule import backoff, retry_delay
from outrider.jobs.states import JobAction, check_action, transition
from outrider.runs.model import RunStatus


class RunResult(StrEnum):
    """How a run ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    TIMED_OUT = "timed_out"  # longer than the execution timeout (JOB-19): cancelled, then tried again
    CANCELLED = "cancelled"  # an operator cancelled this run, not the job


@dataclass(frozen=True, slots=True)
class FirstSchedule:
    """The state and the times of a new job."""

    status: JobStatus
    next_run_at: datetime
    slot_at: datetime | None
    placed_at: datetime | None


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """The job after a run, and the final state of the execution."""

    job: Job
    execution: RunStatus


def first_schedule(every: Interval | None, placed: datetime, now: datetime) -> FirstSchedule:
    """A one-time job runs now, a recurring one at the slot that `slots.place` chose (JOB-06, SCH-03)."""
    if every is None:
        return FirstSchedule(JobStatus.PENDING, now, None, None)
    return FirstSchedule(transition(JobStatus.PENDING, JobStatus.SCHEDULED), placed, placed, now)


def pause(job: Job, by: PausedBy, now: datetime) -> Job:
    """A paused job has no next run and no slot (JOB-10)."""
    check_action(JobAction.PAUSE, job.status)
    status = transition(job.status, JobStatus.PAUSED)
    return replace(job, status=status, paused_at=now, paused_by=by, next_run_at=None, slot_at=None)


def resume(job: Job, placed: datetime, now: datetime) -> Job:
    """A resumed job runs at the slot that `slots.place` chose, with all its retries (JOB-10)."""
    check_action(JobAction.RESUME, job.status)
    return replace(
        job,
        status=transition(job.status, JobStatus.SCHEDULED),
        paused_at=None,
        paused_by=None,
        next_run_at=placed,
        slot_at=placed,
        placed_at=now,
        current_retry_count=0,
        backoff_until=None,
    )


def cancel(job: Job, now: datetime) -> Job:
    """A cancelled job never runs again (JOB-04).

    The lock of a running job stays until its run has stopped: `finish` releases it (JOB-11).
    """
    check_action(JobAction.CANCEL, job.status)
    return replace(
        job,
        status=transition(job.status, JobStatus.CANCELLED),
        cancelled_at=now,
        paused_at=None,
        paused_by=None,
        next_run_at=None,
        slot_at=None,
        backoff_until=None,
    )


def retry(job: Job, now: datetime) -> Job:
    """A failed job runs now, with all its retries and without its error (JOB-12)."""
    check_action(JobAction.RETRY, job.status)
    return replace(
        job,
        status=transition(job.status, JobStatus.PENDING),
        next_run_at=now,
        current_retry_count=0,
        failure_count=0,
        backoff_until=None,
        error_message=None,
    )


def force_run(job: Job, now: datetime) -> Job:
    """The job is due at the next poll; its rhythm stays (JOB-13)."""
    check_action(JobAction.FORCE_RUN, job.status)
    return replace(
        job,
        status=transition(job.status, JobStatus.PENDING),
        next_run_at=now,
        slot_at=job.slot_at or job.next_run_at,
        backoff_until=None,
    )


def change_interval(job: Job, every: Interval | None, placed: datetime, now: datetime) -> Job:
    """The job with another interval, in the slot that `slots.place` chose for it (JOB-22).

    Only the next run of a scheduled job moves. A job that waits for a retry or runs keeps its times, and
    continues with the new rhythm. A paused job is placed when it is resumed. A one-time job that has run is
    scheduled when it gets an interval. Without an interval, the next run of the job is its last.
    """
    if every is None or job.status in (JobStatus.PAUSED, JobStatus.CANCELLED):
        return replace(job, every=every, slot_at=None)
    moved = replace(job, every=every, slot_at=placed, placed_at=now)
    if job.status is JobStatus.COMPLETED:
        return replace(moved, status=transition(job.status, JobStatus.SCHEDULED), next_run_at=placed)
    return replace(moved, next_run_at=placed) if _is_in_rhythm(job) else moved


def move(job: Job, to: datetime, now: datetime) -> Job:
    """The job in another slot, as a rebalance wants it. A job that waits for a retry keeps its next run."""
    if job.status is not JobStatus.SCHEDULED:
        raise Conflict(f"the job is {job.status.value}: only a scheduled one can be moved to another slot")
    moved = replace(job, slot_at=to, placed_at=now)
    return replace(moved, next_run_at=to) if _is_in_rhythm(job) else moved


def check_delete(job: Job) -> None:
    """Raises Conflict while a run of the job goes on (JOB-21)."""
    if job.has_open_execution:
        how = "cancel it first" if job.status is JobStatus.RUNNING else "wait until its run has stopped"
        raise Conflict(f"the job is {job.status.value} and its run goes on: {how}")


def is_due(job: Job, now: datetime) -> bool:
    """Whether a scheduler may start the job now (SCH-02, SCH-03)."""
    return (
        job.status in (JobStatus.PENDING, JobStatus.SCHEDULED)
        and job.lock_token is None
        and job.next_run_at is not None
        and job.next_run_at <= now
    )


def start(job: Job, token: UUID, now: datetime) -> Job:
    """The job after a scheduler has locked and started it (SCH-05, SCH-06). Its next run is planned."""
    if not is_due(job, now):
        raise Conflict(f"the job is {job.status.value} and not due: another scheduler may have started it")
    following = _following(job, started_at=now, now=now)
    return replace(
        job,
        status=transition(job.status, JobStatus.RUNNING),
        lock_token=token,
        lock_acquired_at=now,
        started_at=now,
        runs=job.runs + 1,
        next_run_at=following,
        slot_at=following,
    )


def finish(
    job: Job,
    token: UUID,
    result: RunResult,
    now: datetime,
    *,
    wait: timedelta | None = None,
    error: RunError | None = None,
) -> FinishedRun:
    """The job after its run; raises LockLost if the scheduler has lost the lock (SCH-12).

    `wait` is the adaptive interval. A job that was cancelled meanwhile stays cancelled, whatever the result.
    """
    check_holder(job, token)
    job = replace(job, lock_token=None, lock_acquired_at=None, completed_at=now)
    if job.status is JobStatus.CANCELLED:
        return FinishedRun(job, RunStatus.CANCELLED)
    match result:
        case RunResult.COMPLETED:
            return FinishedRun(_succeeded(job, now, wait), RunStatus.COMPLETED)
        case RunResult.CANCELLED:
            return FinishedRun(_run_cancelled(job, now), RunStatus.CANCELLED)
        case RunResult.TIMED_OUT:
            return FinishedRun(_failed(job, now, error), RunStatus.CANCELLED)
        case RunResult.FAILED:
            return FinishedRun(_failed(job, now, error), RunStatus.FAILED)


def _succeeded(job: Job, now: datetime, wait: timedelta | None) -> Job:
    """A recurring job returns to `scheduled`, a one-time job has ended (SCH-07)."""
    job = replace(job, current_retry_count=0, failure_count=0, backoff_until=None, error_message=None)
    return _continue_rhythm(job, now, wait, else_status=JobStatus.COMPLETED)


def _run_cancelled(job: Job, now: datetime) -> Job:
    """Cancelling a run does not end a recurring job and is no failure; a one-time job has ended."""
    job = replace(job, current_retry_count=0, backoff_until=None)
    ended = _continue_rhythm(job, now, None, else_status=JobStatus.CANCELLED)
    return replace(ended, cancelled_at=now) if ended.status is JobStatus.CANCELLED else ended


def _failed(job: Job, now: datetime, error: RunError | None) -> Job:
    """Retry after a growing wait; without retries left the job is `failed` (SCH-08).

    The managed job of a source does not wait for an operator: it is tried again after the back-off of SRC-11.
    """
    job = replace(
        job,
        failure_count=job.failure_count + 1,
        last_failure_at=now,
        error_message=(error or RunError("the run failed")).bounded().message,
    )
    if job.current_retry_count < job.max_retries:
        attempt = job.current_retry_count + 1
        job = replace(job, current_retry_count=attempt)
        return _back_off(job, now + retry_delay(job.retry_backoff_seconds, attempt))
    if job.auto_managed and job.every is not None:
        return _back_off(job, now + backoff(job.every, max(1, job.failure_count - job.max_retries)))
    status = transition(job.status, JobStatus.FAILED)
    return replace(job, status=status, next_run_at=None, backoff_until=None)


def _back_off(job: Job, until: datetime) -> Job:
    status = transition(job.status, JobStatus.SCHEDULED)
    return replace(job, status=status, next_run_at=until, backoff_until=until)


def _continue_rhythm(job: Job, now: datetime, wait: timedelta | None, *, else_status: JobStatus) -> Job:
    at = _following(job, started_at=job.started_at or now, now=now, wait=wait)
    status = transition(job.status, else_status if at is None else JobStatus.SCHEDULED)
    return replace(job, status=status, next_run_at=at, slot_at=at)


def _following(
    job: Job, *, started_at: datetime, now: datetime, wait: timedelta | None = None
) -> datetime | None:
    if job.every is None:
        return None
    anchor = job.slot_at or job.next_run_at or now
    return next_run_after(anchor, job.every.length, started_at, now, wait)


def _is_in_rhythm(job: Job) -> bool:
    """Whether the next run is the one of the rhythm, not a retry and not a forced run."""
    return job.status is JobStatus.SCHEDULED and job.next_run_at != job.backoff_until
