"""The figures of all jobs and their runs (SCH-14)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.jobs.job_stats import success_rate


@dataclass(frozen=True, slots=True)
class JobFigures:
    """Jobs by state, and runs. Running, durations and the success rate are those of the last day."""

    now: datetime
    jobs: Mapping[str, int]
    total_executions: int
    running: int
    average_duration_s: float | None
    success_rate: float | None


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
