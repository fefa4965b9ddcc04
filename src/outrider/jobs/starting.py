"""Starts a due job: lock, run and first entries in one commit (SCH-05, SCH-06)."""

from dataclasses import replace
from enum import Enum
from uuid import UUID

import asyncpg

from outrider.db.retry import is_transient
from outrider.jobs.model import Job, JobStatus
from outrider.jobs.run_error import RunError
from outrider.jobs.runner import JobRunner
from outrider.jobs.store import JobStore
from outrider.jobs.transitions import RunResult, finish, start
from outrider.logs import get_logger
from outrider.runs.metrics import crawl_metrics
from outrider.runs.model import Run, RunStatus, RunVerdict, StartedBy
from outrider.runs.store import RunStore
from outrider.sources.store import SourceStore

log = get_logger()


class NotStarted(Enum):
    """Why a job that was read as due was not started."""

    LOST = "lost"  # another process took or changed it first
    FAILED = "failed"  # its first step failed: the failed run is recorded


async def start_job(db: asyncpg.Connection, job_id: int, token: UUID, runner: JobRunner) -> Run | NotStarted:
    """Start a due job.

    A crash before the commit leaves the job as it was. An error of the first step is a failed run with its
    stack trace, and the job never stays `running` (JOB-23).
    """
    try:
        async with db.transaction():
            begun = await _begin(db, job_id, token)
            if begun is None:
                return NotStarted.LOST
            job, run = begun
            source = await SourceStore().by_id(db, job.source_id)
            await runner.start(db, source, run, job.interval)
            return run
    except Exception as error:
        if is_transient(error):
            raise
        log.exception("job could not be started", job_id=job_id)
        await _record_failure(db, job_id, token, error)
        return NotStarted.FAILED


async def _begin(db: asyncpg.Connection, job_id: int, token: UUID) -> tuple[Job, Run] | None:
    jobs = JobStore()
    found = await jobs.lock_due(db, job_id, token)
    if found is None:
        return None
    unlocked = replace(found.job, lock_token=None, lock_acquired_at=None)
    job = await jobs.save(db, start(unlocked, token, found.now))
    was_asked_for = found.job.status is JobStatus.PENDING
    run = await RunStore().open_for_job(
        db,
        job.source_id,
        job.job_id,
        job.runs,
        StartedBy.OPERATOR if was_asked_for else StartedBy.SCHEDULE,
        job.current_retry_count,
    )
    if run is None:  # a run that lost its job's lock is still open: the next pass over stale locks ends it
        raise RuntimeError(f"job {job.job_id} has an open run without a lock")
    return job, run


async def _record_failure(db: asyncpg.Connection, job_id: int, token: UUID, error: Exception) -> None:
    """The failed start as a run of its own, with the error and its stack trace."""
    why = RunError.of(error)
    async with db.transaction():
        begun = await _begin(db, job_id, token)
        if begun is None:
            return
        _, run = begun
        await RunStore().end(
            db,
            run.run_id,
            RunVerdict(RunStatus.FAILED, why.message),
            crawl_metrics({}),
            pages=0,
            indexed=0,
            stack_trace=why.stack_trace,
        )
        found = await JobStore().locked(db, job_id)
        await JobStore().save(db, finish(found.job, token, RunResult.FAILED, found.now, error=why).job)
