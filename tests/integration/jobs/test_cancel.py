"""Cancelled runs: by an operator, by the timeout, with their source, and while PostgreSQL was away."""

import asyncio
from datetime import timedelta

import pytest
from tests.support.job_runs import finish_front_page, make_due, open_run, runs_of
from tests.support.make import urls_of

from outrider.errors import Conflict
from outrider.jobs.model import Interval, JobStatus, Unit
from outrider.jobs.operate import add, cancel, remove
from outrider.jobs.store import JobStore
from outrider.runs.store import RunStore

LATE = "UPDATE run SET started_at = now() - interval '61 minutes'"


async def cancel_job(worker_context) -> None:
    job = await worker_context.job()
    await worker_context.run(lambda db: cancel(db, job.job_id))


async def test_a_running_job_is_cancelled_by_another_process(worker_context, other_worker_context):
    scheduler = await open_run(worker_context)

    await cancel_job(other_worker_context)
    job = await worker_context.job()
    assert (job.status, job.lock_token) == (JobStatus.CANCELLED, scheduler.token)
    assert await scheduler.watch_runs() == 0

    [run] = await runs_of(worker_context)
    assert (run["status"], run["error_message"]) == ("cancelled", "the job was cancelled")
    assert await worker_context.operator.state("https://blatt.test/") == "dead"
    job = await worker_context.job()
    assert (job.status, job.lock_token, job.next_run_at) == (JobStatus.CANCELLED, None, None)
    assert urls_of(await worker_context.operator.claim()) == []


async def test_a_cancelled_run_waits_for_the_request_that_is_under_way(worker_context):
    scheduler = await open_run(worker_context)
    lease = await worker_context.operator.claim_one()
    await cancel_job(worker_context)

    assert await scheduler.watch_runs() == 1
    await worker_context.operator.release(lease)
    assert await scheduler.watch_runs() == 0

    assert [row["status"] for row in await runs_of(worker_context)] == ["cancelled"]


async def test_a_cancel_in_the_moment_of_the_end_is_a_cancelled_run(
    worker_context, other_worker_context, pool
):
    """The scheduler has read the run when the operator cancels, and ends it after that."""
    scheduler = await open_run(worker_context)
    await finish_front_page(worker_context)
    async with pool.acquire() as db, db.transaction():
        await JobStore().locked(db, (await worker_context.job()).job_id)
        ending = asyncio.create_task(scheduler.watch_runs())
        await other_worker_context.operator.until_a_lock_is_awaited()
        await cancel(db, (await other_worker_context.job()).job_id)
    await ending

    assert [row["status"] for row in await runs_of(worker_context)] == ["cancelled"]


async def test_a_cancel_is_done_by_the_next_scheduler_if_its_own_is_dead(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()
    await cancel_job(worker_context)
    await first.stop()

    assert await second.take_over() == 1
    assert await second.watch_runs() == 0

    assert [row["status"] for row in await runs_of(worker_context)] == ["cancelled"]
    assert (await worker_context.job()).lock_token is None


async def test_the_entries_of_a_cancelled_run_are_fetched_by_the_next_run(worker_context):
    scheduler = await open_run(worker_context)
    [run] = await runs_of(worker_context)
    await worker_context.run(lambda db: RunStore().ask_to_cancel(db, run["run_id"], "test"))
    await scheduler.watch_runs()
    assert (await worker_context.job()).status is JobStatus.SCHEDULED, "only the run was cancelled"
    assert await worker_context.operator.state("https://blatt.test/") == "dead"
    await make_due(worker_context)

    await scheduler.start_due()

    lease = await worker_context.operator.claim_one()
    assert [entry.url for entry in lease.entries] == ["https://blatt.test/"]


async def test_a_run_over_its_time_is_cancelled_and_the_job_tried_again(worker_context):
    scheduler = await open_run(worker_context)
    await scheduler.watch_runs()
    assert [row["cancel_at"] for row in await runs_of(worker_context)] == [None]
    await worker_context.execute(LATE)

    await scheduler.watch_runs()
    assert await scheduler.watch_runs() == 0

    [run] = await runs_of(worker_context)
    why = "the run took longer than 60 minutes and was cancelled"
    assert (run["status"], run["cancelled_by"], run["error_message"]) == ("cancelled", "timeout", why)
    job = await worker_context.job()
    assert (job.status, job.current_retry_count, job.error_message) == (JobStatus.SCHEDULED, 1, why)
    assert job.next_run_at - job.last_failure_at == timedelta(seconds=60)
    await make_due(worker_context)
    assert await scheduler.start_due() == 1
    assert [row["retry_attempt"] for row in await runs_of(worker_context)] == [0, 1]


async def test_a_run_whose_entries_left_the_queue_unseen_ends_after_its_time(worker_context):
    """Entries that are cleared by hand are settled by no worker."""
    scheduler = await open_run(worker_context)
    await worker_context.execute("DELETE FROM url")
    assert await scheduler.watch_runs() == 1
    await worker_context.execute(LATE)
    await scheduler.watch_runs()
    await worker_context.execute("UPDATE run SET cancel_at = now() - interval '61 seconds'")

    assert await scheduler.watch_runs() == 0

    [run] = await runs_of(worker_context)
    entries = run["metadata"]["crawl_metrics"]["entries"]
    assert (run["status"], entries["added"], entries["settled"]) == ("cancelled", 1, 1)
    assert (await worker_context.job()).status is JobStatus.SCHEDULED


async def test_a_running_job_cannot_be_removed(worker_context):
    scheduler = await open_run(worker_context)
    job_id = (await worker_context.job()).job_id

    with pytest.raises(Conflict, match="the job is running and its run goes on: cancel it first"):
        await worker_context.run(lambda db: remove(db, job_id))
    await cancel_job(worker_context)
    with pytest.raises(Conflict, match="wait until its run has stopped"):
        await worker_context.run(lambda db: remove(db, job_id))
    await scheduler.watch_runs()
    await worker_context.run(lambda db: remove(db, job_id))

    assert await worker_context.jobs() == []
    assert await runs_of(worker_context) == []
    assert await worker_context.run(lambda db: db.fetchval("SELECT count(*) FROM run_counter")) == 0


async def test_a_source_that_is_disabled_cancels_its_run_and_pauses_its_job(worker_context):
    scheduler = await open_run(worker_context)
    await worker_context.disable()
    await worker_context.follow()

    await scheduler.watch_runs()
    assert await scheduler.watch_runs() == 0

    [run] = await runs_of(worker_context)
    assert (run["status"], run["error_message"]) == ("cancelled", "the source was disabled")
    job = await worker_context.job()
    assert (job.status, job.lock_token, job.failure_count) == (JobStatus.PAUSED, None, 0)
    await worker_context.enable()
    await worker_context.follow()
    assert (await worker_context.job()).status is JobStatus.SCHEDULED
    await make_due(worker_context)
    await scheduler.start_due()
    assert [e.url for e in (await worker_context.operator.claim_one()).entries] == ["https://blatt.test/"]


async def test_a_source_that_is_removed_ends_its_run_and_leaves_nothing_stuck(worker_context):
    scheduler = await open_run(worker_context)
    await worker_context.remove()
    await worker_context.follow()
    assert [row["status"] for row in await runs_of(worker_context)] == ["running"], "workers still know it"

    await scheduler.watch_runs()
    assert await scheduler.watch_runs() == 0

    assert await worker_context.jobs() == []
    open_entries = "SELECT count(*) FROM url WHERE run_id > 0"
    assert await worker_context.run(lambda db: db.fetchval(open_entries)) == 0
    assert await worker_context.run(lambda db: db.fetchval("SELECT count(*) FROM run_counter")) == 0
    await worker_context.watch(mode="spider")
    await worker_context.follow()
    await make_due(worker_context)
    assert await scheduler.start_due() == 1
    await finish_front_page(worker_context)
    assert await scheduler.watch_runs() == 0
    assert [row["status"] for row in await runs_of(worker_context)] == ["completed"]


async def test_a_run_of_an_operators_job_ends_with_its_source_and_the_job_is_removed(worker_context):
    """The scheduler ends the run first; then the job and its runs are gone (JOB-21)."""
    source = await worker_context.watch(mode="spider")
    await worker_context.run(lambda db: add(db, source, Interval(6, Unit.HOURS)))
    await make_due(worker_context)
    scheduler = worker_context.scheduler()
    assert await scheduler.start_due() == 1
    await worker_context.remove()
    await worker_context.follow()
    assert [job.status for job in await worker_context.jobs()] == [JobStatus.RUNNING]

    await scheduler.watch_runs()
    assert await scheduler.watch_runs() == 0

    assert await worker_context.jobs() == []
    assert await runs_of(worker_context) == []


async def test_a_cancel_while_the_database_is_away_is_done_when_it_is_back(worker_context):
    """The connection of the scheduler breaks between the flag and the pass that sees it."""
    scheduler = await open_run(worker_context)
    await cancel_job(worker_context)
    others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await worker_context.execute(others)
    own = worker_context.operator.connection
    await own.close()

    assert await scheduler.watch_runs() == 0

    assert [row["status"] for row in await runs_of(worker_context)] == ["cancelled"]
