"""All jobs in one line: how many there are, how many run or have failed, and which is next."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries


@dataclass(frozen=True, slots=True)
class JobOverview:
    """The jobs of enabled sources at one moment."""

    jobs: int = 0
    running: int = 0
    failed: int = 0  # without retries left
    next_source: str | None = None  # of the job that runs next
    next_run_at: datetime | None = None


NO_JOBS = JobOverview()


async def read_job_overview(db: asyncpg.Connection) -> JobOverview:
    """The overview of this moment."""
    [row] = await db.fetch(Queries.load("outrider.jobs").job_overview)
    return JobOverview(**dict(row))
