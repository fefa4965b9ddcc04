"""The runs of a job in the form for display, and its figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import asyncpg

from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.jobs.job_stats import JobStats, job_stats
from outrider.jobs.model import Job
from outrider.jobs.pruning import KEEP_NEWEST
from outrider.runs.counter import RunCounter
from outrider.runs.history import runs_of_job
from outrider.runs.model import Run, RunStatus, StartedBy

LAST_RUNS = 5  # shown with a job


@dataclass(frozen=True, slots=True)
class JobRun:
    """A run of a job, by the names of `job_executions` (JOB-14)."""

    number: int  # of the run, for `outrider run show`
    id: UUID
    execution_number: int
    status: RunStatus
    started_by: StartedBy
    retry_attempt: int
    started_at: datetime
    completed_at: datetime | None
    duration_ms: int | None
    items_crawled: int
    items_indexed: int
    error_message: str | None
    is_cancelling: bool  # its end was asked for, and some of its requests are still under way


async def recent_runs(db: asyncpg.Connection, job: Job) -> tuple[JobStats, list[JobRun]]:
    """The figures of a job over the runs that are kept (JOB-18), and its last runs."""
    runs, _ = await runs_of_job(db, job.job_id, KEEP_NEWEST)
    return job_stats(runs, job.next_run_at), await job_runs_of(db, runs[:LAST_RUNS])


async def job_runs_of(db: asyncpg.Connection, runs: Sequence[Run]) -> list[JobRun]:
    """Runs in the form for display. The counts of a run that goes on are those of this moment."""
    frontier = FrontierStore(FrontierOptions())
    counts = await frontier.run_counts(db, [run.run_id for run in runs if run.is_open])
    return [_job_run(_with_counts(run, counts.get(run.run_id, {}))) for run in runs]


def _with_counts(run: Run, counts: Mapping[str, int]) -> Run:
    if not run.is_open:
        return run
    pages, indexed = (counts.get(name, 0) for name in (RunCounter.PAGES, RunCounter.INDEXED))
    return replace(run, items_crawled=pages, items_indexed=indexed)


def _job_run(run: Run) -> JobRun:
    return JobRun(
        number=run.run_id,
        id=run.public_id,
        execution_number=run.execution_number,
        status=run.status,
        started_by=run.started_by,
        retry_attempt=run.retry_attempt,
        started_at=run.started_at,
        completed_at=run.completed_at,
        duration_ms=None if run.duration is None else round(run.duration.total_seconds() * 1000),
        items_crawled=run.items_crawled,
        items_indexed=run.items_indexed,
        error_message=run.error_message or run.cancel_reason,
        is_cancelling=run.is_open and run.is_cancelled,
    )
