"""Ends the run of a job when nothing of it waits, and plans the next one (SCH-07, SCH-08, SCH-12)."""

from datetime import datetime, timedelta
from uuid import UUID

import asyncpg

from outrider.jobs.adaptive import after_run
from outrider.jobs.locks import check_holder
from outrider.jobs.model import Job, JobStatus, PausedBy
from outrider.jobs.run_error import RunError
from outrider.jobs.runner import JobRunner
from outrider.jobs.store import JobStore
from outrider.jobs.transitions import RunResult, finish, pause
from outrider.logs import get_logger
from outrider.runs.ending import close_if_over, fail_run, withdraw_entries
from outrider.runs.model import CancelledBy, Run, RunStatus
from outrider.runs.store import RunStore
from outrider.sources.store import SourceStore

log = get_logger()


async def finish_job(db: asyncpg.Connection, job_id: int, token: UUID, runner: JobRunner) -> Run | None:
    """End the run of a job if it is over; None while it goes on.

    Raises LockLost if another scheduler has taken the run over: nothing is written then.
    """
    async with db.transaction():
        found = await JobStore().locked(db, job_id)
        check_holder(found.job, token)
        run = await RunStore().open_of_job(db, job_id)  # read behind the lock, which a cancel takes too
        if run is None:
            await _finish_without_run(db, found.job, token, found.now)
            return None
        if run.is_cancelled:
            await withdraw_entries(db, runner.frontier, run)
        ended = await close_if_over(db, runner.frontier, run)
        if ended is None:
            return None
        wait = await _observed_interval(db, found.job, ended, found.now, runner)
        error = RunError(ended.error_message) if ended.error_message else None
        done = finish(found.job, token, result_of(ended), found.now, wait=wait, error=error)
        await _save(db, done.job, found.now)
    log.info("run ended", job_id=job_id, run=ended.run_id, status=ended.status.value)
    return ended


async def fail_job(
    db: asyncpg.Connection, job_id: int, token: UUID, runner: JobRunner, why: RunError
) -> None:
    """End the run of a job as failed, because it could not be ended otherwise (JOB-23)."""
    found = await JobStore().locked(db, job_id)
    check_holder(found.job, token)
    run = await RunStore().open_of_job(db, job_id)
    if run is not None:
        await fail_run(db, runner.frontier, run, why.message, why.stack_trace)
    done = finish(found.job, token, RunResult.FAILED, found.now, error=why)
    await _save(db, done.job, found.now)


async def _save(db: asyncpg.Connection, job: Job, now: datetime) -> None:
    """Write a job whose run has ended. It follows what happened to its source meanwhile."""
    source = await SourceStore().if_watched(db, job.source_id)
    if source is None:
        await JobStore().remove(db, job)
        return
    if not source.enabled and job.auto_managed and job.status is JobStatus.SCHEDULED:
        job = pause(job, PausedBy.SOURCE, now)
    await JobStore().save(db, job)


async def _finish_without_run(db: asyncpg.Connection, job: Job, token: UUID, now: datetime) -> None:
    """A job whose run row is gone, removed by hand: it must not stay `running`."""
    done = finish(job, token, RunResult.FAILED, now, error=RunError("the run of this job no longer exists"))
    await _save(db, done.job, now)


def result_of(run: Run) -> RunResult:
    """What the end of a run means for its job."""
    match run.status:
        case RunStatus.COMPLETED:
            return RunResult.COMPLETED
        case RunStatus.CANCELLED:
            return RunResult.TIMED_OUT if run.cancelled_by is CancelledBy.TIMEOUT else RunResult.CANCELLED
        case _:
            return RunResult.FAILED


async def _observed_interval(
    db: asyncpg.Connection, job: Job, run: Run, now: datetime, runner: JobRunner
) -> timedelta | None:
    """The interval after what the run found out about the source; None for a job that runs once (ADP-02)."""
    if job.every is None:
        return None
    jobs = JobStore()
    succeeded = run.status is RunStatus.COMPLETED
    content_hash = None
    if job.adaptive_scheduling and succeeded:
        source = await SourceStore().if_watched(db, job.source_id)
        content_hash = None if source is None else await runner.content_hash(db, source)
    before = await jobs.adaptive_state(db, job.source_id)
    observed = after_run(
        before,
        is_adaptive=job.adaptive_scheduling,
        has_succeeded=succeeded,
        content_hash=content_hash,
        baseline=job.every.length,
        now=now,
    )
    if observed.state is not None and observed.state != before:
        await jobs.keep_adaptive_state(db, job.source_id, observed.state)
    if observed.warning:
        log.warning("adaptive interval not changed", job_id=job.job_id, why=observed.warning)
    return observed.interval
