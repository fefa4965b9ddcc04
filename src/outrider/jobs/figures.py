"""The figures of all jobs and their runs (SCH-14)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.jobs.job_stats import success_rate
from outrider.jobs.model import JobStatus


@dataclass(frozen=True, slots=True)
class JobFigures:
    """Jobs by state, and runs. Running, durations and the success rate are those of the last day."""

    now: datetime
    jobs: Mapping[str, int]
    total_executions: int
    running: int
    average_duration_s: float | None
    success_rate: float | None


async def count_by_status(db: asyncpg.Connection) -> dict[JobStatus, int]:
    """How many jobs are in each state, states without jobs included."""
    rows = await db.fetch(Queries.load("outrider.jobs").jobs_by_status)
    return dict.fromkeys(JobStatus, 0) | {JobStatus(row["status"]): row["jobs"] for row in rows}


async def read_figures(db: asyncpg.Connection) -> JobFigures:
    """The figures at this moment."""
    [row] = await db.fetch(Queries.load("outrider.jobs").job_figures)
    return JobFigures(
        now=row["now"],
        jobs=row["jobs"] or {},
        total_executions=row["total_executions"],
        running=row["running"],
        average_duration_s=row["average_s"],
        success_rate=success_rate(row["completed"], row["failed"]),
    )
