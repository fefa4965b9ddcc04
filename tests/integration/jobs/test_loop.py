"""The loop of a scheduler: its passes come by themselves, and its end is recorded."""

import asyncio

from tests.support.job_runs import make_due, runs_of, settle_waiting

from outrider.jobs.options import JobOptions
from outrider.scheduler.loop import run_scheduler
from outrider.settings import Settings

SCHEDULERS = "SELECT stopped_at IS NOT NULL AS has_stopped, stats FROM scheduler"


async def has_completed_and_reported(worker_context) -> bool:
    statuses = [run["status"] for run in await runs_of(worker_context)]
    rows = await worker_context.run(lambda db: db.fetch(SCHEDULERS))
    return statuses == ["completed"] and all(row["stats"] for row in rows)


async def test_a_scheduler_runs_jobs_until_it_is_told_to_stop(worker_context, database):
    await worker_context.watch(mode="spider")
    await worker_context.follow()
    await make_due(worker_context)
    stop = asyncio.Event()
    running = asyncio.create_task(run_scheduler(Settings(jobs=JobOptions(poll_s=0.1)), database, stop))
    async with asyncio.timeout(30):
        while not await has_completed_and_reported(worker_context):
            await settle_waiting(worker_context)
            await asyncio.sleep(0.05)
        stop.set()
        await running

    [row] = await worker_context.run(lambda db: db.fetch(SCHEDULERS))
    assert row["has_stopped"]
    assert row["stats"]["last_metrics_update"] is not None
