"""The runs of one job, newest first."""

import asyncpg

from outrider.db.queries import Queries
from outrider.runs.model import Run
from outrider.runs.store import run_of_row


async def runs_of_job(
    db: asyncpg.Connection, job_id: int, limit: int, offset: int = 0
) -> tuple[list[Run], int]:
    """A page of the runs that are kept, and how many there are."""
    sql = Queries.load("outrider.runs")
    rows = await db.fetch(sql.runs_of_job, job_id, limit, offset)
    return [run_of_row(row) for row in rows], await db.fetchval(sql.count_runs_of_job, job_id)


async def run_of_job(db: asyncpg.Connection, job_id: int, number: int | None) -> Run | None:
    """The run of a job with this execution number, or the newest; None if there is none."""
    row = await db.fetchrow(Queries.load("outrider.runs").run_of_job, job_id, number)
    return None if row is None else run_of_row(row)
