"""Sources with jobs, and the passes of a scheduler that runs them, on a database."""

from datetime import timedelta
from typing import Any

import asyncpg
from tests.support.make import Operator

from outrider.events.outbox import handle_waiting
from outrider.jobs.follow import Follower
from outrider.jobs.runner import JobRunner, StartRun
from outrider.jobs.scheduler import Scheduler, SchedulerLimits
from outrider.runs.model import Run
from outrider.sources.model import Source
from outrider.sources.source_changes import read_changes
from outrider.watch.source_runs import SourceRuns
from outrider.watch.source_service import SourceService


async def watch(operator: Operator, name: str, **values: str) -> Source:
    """A source with its managed job."""
    changes = read_changes({"url": f"https://{name}.test/", "name": name} | values).checked()
    added = await operator.run(lambda db: SourceService(operator.store).add(db, changes))
    await handle_waiting(operator.connection, Follower().handle)
    return added.source


def scheduler(operator: Operator, start: StartRun | None = None, **limits: Any) -> Scheduler:
    """A scheduler that is not registered yet. `start` is what it does at the start of a run."""
    runs = SourceRuns(operator.store)
    runner = JobRunner(start or _nothing_to_fetch, runs.content_hash, operator.store)
    return Scheduler(operator.connection, runner, SchedulerLimits(**limits))


async def make_due(operator: Operator, job_id: int) -> None:
    """What time would do: the next run of the job is due."""
    await operator.run(
        lambda db: db.execute("UPDATE job SET next_run_at = now(), slot_at = now() WHERE job_id = $1", job_id)
    )


async def start_runs(operator: Operator, *job_ids: int) -> Scheduler:
    """Start runs of jobs that go on; returns the scheduler that watches them."""
    made = scheduler(operator)
    await made.register()
    for job_id in job_ids:
        await make_due(operator, job_id)
    assert await made.start_due() == len(job_ids)
    return made


async def complete_run(operator: Operator, job_id: int) -> None:
    """A run of the job that succeeds."""
    made = await start_runs(operator, job_id)
    await made.watch_runs()
    await made.stop()


async def fail_run(operator: Operator, job_id: int) -> None:
    """A run of the job that fails at its start."""
    await make_due(operator, job_id)
    await scheduler(operator, _broken).start_due()


async def _nothing_to_fetch(
    db: asyncpg.Connection, source: Source, run: Run, interval: timedelta | None
) -> None:
    pass


async def _broken(db: asyncpg.Connection, source: Source, run: Run, interval: timedelta | None) -> None:
    raise RuntimeError("the disk is full")
