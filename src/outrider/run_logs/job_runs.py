"""Which run of a job a reader of its logs reads next: positions grow with the runs of a job."""

from collections.abc import Sequence

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.run_logs")


async def newest_run_of_job(db: asyncpg.Connection, job_id: int) -> int | None:
    """The newest run of a job; None if it never ran."""
    run_id: int | None = await db.fetchval(_SQL.newest_run_of_job, job_id)
    return run_id


async def is_run_of_job(db: asyncpg.Connection, job_id: int, run_id: int) -> bool:
    """Whether a run belongs to a job."""
    return bool(await db.fetchval(_SQL.is_run_of_job, job_id, run_id))


async def next_runs_of_jobs(db: asyncpg.Connection, wanted: Sequence[tuple[int, int]]) -> list[int | None]:
    """For each job and run: the first run of the job after that one, None if there is none yet."""
    jobs, runs = [job for job, _ in wanted], [run for _, run in wanted]
    return [row["next_run_id"] for row in await db.fetch(_SQL.next_runs_of_jobs, jobs, runs)]
