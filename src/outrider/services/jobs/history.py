"""Use cases that look back at the runs of a job: its history and its figures."""

from collections.abc import Mapping
from dataclasses import dataclass

import asyncpg

from outrider.jobs.figures import JobFigures, count_by_status, read_figures
from outrider.jobs.job_stats import JobStats
from outrider.jobs.model import JobStatus
from outrider.runs.history import runs_of_job
from outrider.services.jobs.jobs import MOST_JOBS, find_job
from outrider.services.jobs.runs import JobRun, job_runs_of, recent_runs
from outrider.services.paging import ListPage, PageRequest


async def job_history(db: asyncpg.Connection, named: str, page: PageRequest) -> ListPage[JobRun]:
    """The runs of a job that are kept, newest first; raises NotFound."""
    page = page.checked(MOST_JOBS)
    async with db.transaction():
        line = await find_job(db, named)
        runs, total = await runs_of_job(db, line.job.job_id, page.limit, page.offset)
        found = await job_runs_of(db, runs)
    return ListPage(found, total, page.limit, page.offset)


async def stats_of_job(db: asyncpg.Connection, named: str) -> JobStats:
    """The figures of a job over the runs that are kept (JOB-18); raises NotFound."""
    async with db.transaction():
        stats, _ = await recent_runs(db, (await find_job(db, named)).job)
    return stats


@dataclass(frozen=True, slots=True)
class StatusCounts:
    """How many jobs are in each state."""

    counts: Mapping[JobStatus, int]
    total: int


async def count_jobs(db: asyncpg.Connection) -> StatusCounts:
    """The number of jobs by state."""
    counts = await count_by_status(db)
    return StatusCounts(counts, sum(counts.values()))


async def figures_of_jobs(db: asyncpg.Connection) -> JobFigures:
    """The figures of all jobs."""
    async with db.transaction():
        return await read_figures(db)
