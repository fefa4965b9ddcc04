"""Runs the due jobs. The caller defines what a run does."""

from collections.abc import Awaitable, Callable
from functools import partial

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.db.retry import is_transient
from outrider.jobs.schedule import backoff, next_run
from outrider.jobs.store import Due, JobStore
from outrider.logs import get_logger
from outrider.sources.model import Source
from outrider.sources.store import SourceStore

log = get_logger()

Start = Callable[[asyncpg.Connection, Source], Awaitable[object]]

MOST_AT_ONCE = 1_000


async def run_due(connection: ReconnectingConnection, start: Start) -> int:
    """Run each due job in its own transaction; returns how many were run."""
    jobs = JobStore()

    async def look(db: asyncpg.Connection) -> list[int]:
        return await jobs.due(db, MOST_AT_ONCE)

    run = 0
    for job_id in await connection.run(look):
        run += await connection.run(partial(_run_one, jobs=jobs, job_id=job_id, start=start), patience_s=10)
    return run


async def _run_one(db: asyncpg.Connection, *, jobs: JobStore, job_id: int, start: Start) -> bool:
    """Run one due job. False if another worker took it.

    The claim, the run and the next time are one commit: after a crash the job is still due.
    """
    due = await jobs.take_due(db, job_id)
    if due is None:
        return False
    try:
        async with db.transaction():
            await _run(db, due, start)
    except Exception as error:
        if is_transient(error):
            raise
        wait = backoff(due.every, due.job.failure_count + 1)
        log.exception("job failed", job=str(due.job.public_id), again_in_s=wait.total_seconds())
        await jobs.failed(db, due.job, due.now + wait, f"{type(error).__name__}: {error}")
    else:
        await jobs.succeeded(db, due.job, next_run(due.due_at, due.every, due.now))
        log.debug("job run", job=str(due.job.public_id), source_id=str(due.source_id))
    return True


async def _run(db: asyncpg.Connection, due: Due, start: Start) -> None:
    source = await SourceStore().by_public_id(db, due.source_id)
    if source is not None:  # a source that was just removed takes its job with it
        await start(db, source)
