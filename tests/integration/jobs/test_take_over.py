"""Locks of schedulers: take-over of runs whose scheduler is gone, renewal, and fencing by the token."""

import asyncio
import os
import signal
import sys
from contextlib import suppress

import psutil
import pytest
from tests.support.job_runs import finish_front_page, make_due, open_run, runs_of

from outrider.errors import LockLost
from outrider.jobs.finishing import finish_job
from outrider.jobs.model import JobStatus
from outrider.jobs.runner import JobRunner
from outrider.jobs.scheduler import Scheduler
from outrider.jobs.starting import NotStarted, start_job
from outrider.jobs.store import JobStore
from outrider.machine import machine_id
from outrider.metrics_history.figures import read_crawl_figures
from outrider.watch.source_runs import SourceRuns

GROW_OLD = "UPDATE job SET lock_acquired_at = now() - interval '301 seconds'"
EVERYTHING = """
  SELECT (SELECT jsonb_agg(j ORDER BY job_id) FROM job j) AS jobs,
         (SELECT jsonb_agg(r ORDER BY run_id) FROM run r) AS runs,
         (SELECT jsonb_agg(c ORDER BY run_id, slot, name) FROM run_counter c) AS counts,
         (SELECT jsonb_agg(u ORDER BY url_hash) FROM url u) AS urls
"""


async def everything(worker_context):
    return dict(await worker_context.run(lambda db: db.fetchrow(EVERYTHING)))


def runner_of(worker_context) -> JobRunner:
    runs = SourceRuns(worker_context.operator.store)
    return JobRunner(runs.start, runs.content_hash, worker_context.operator.store)


async def test_a_run_goes_on_with_another_scheduler_when_its_lock_is_stale(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()
    [before] = await runs_of(worker_context)
    await worker_context.execute(GROW_OLD)

    assert await second.take_over() == 1

    [during] = await runs_of(worker_context)
    job = await worker_context.job()
    assert (during["run_id"], during["status"]) == (before["run_id"], "running")
    assert (job.status, job.lock_token, job.runs) == (JobStatus.RUNNING, second.token, 1)
    await finish_front_page(worker_context)
    assert (await second.watch_runs(), await first.watch_runs()) == (0, 0)
    [after] = await runs_of(worker_context)
    assert (after["run_id"], after["status"]) == (before["run_id"], "completed")
    assert (await worker_context.job()).lock_token is None


async def test_a_run_of_a_scheduler_that_is_alive_is_left_alone(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()
    await worker_context.execute(
        "UPDATE job SET lock_acquired_at = now() - interval '299 seconds', "
        "started_at = started_at - interval '1 day'"
    )

    assert await second.take_over() == 0
    assert (await worker_context.job()).lock_token == first.token


async def test_a_run_longer_than_five_minutes_keeps_its_scheduler(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()
    await worker_context.execute(GROW_OLD)

    assert await first.renew() == 1

    assert await second.take_over() == 0
    assert (await worker_context.job()).lock_token == first.token


async def test_a_scheduler_that_stopped_leaves_its_runs_at_once(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()

    await first.stop()

    assert await second.take_over() == 1
    assert (await worker_context.job()).lock_token == second.token


async def test_a_dead_process_of_this_machine_is_noticed_at_once(worker_context):
    await open_run(worker_context)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE
    )
    await worker_context.execute("UPDATE scheduler SET pid = $1", process.pid)
    second = worker_context.scheduler()
    await second.register()
    assert await second.take_over() == 0, "the process is alive"

    process.kill()
    await process.wait()

    assert await second.take_over() == 1


async def test_a_scheduler_of_another_machine_is_not_judged_by_its_process(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()
    await worker_context.execute(
        "UPDATE scheduler SET machine = 'elsewhere', pid = 2147483647 WHERE token = $1", first.token
    )
    assert machine_id() != "elsewhere"

    assert await second.take_over() == 0


async def test_two_schedulers_take_a_run_over_once(worker_context, other_worker_context):
    await open_run(worker_context)
    await worker_context.execute(GROW_OLD)
    both = [worker_context.scheduler(), other_worker_context.scheduler()]
    for each in both:
        await each.register()

    taken = await asyncio.gather(*(each.take_over() for each in both))

    assert sorted(taken) == [0, 1]
    cleared = "SELECT sum(stale_locks_cleared) FROM scheduler"
    assert await worker_context.run(lambda db: db.fetchval(cleared)) == 1


async def test_a_run_changes_hands_once_however_often_two_schedulers_look(
    worker_context, other_worker_context
):
    """The second look may begin before the first has committed and lock the run after that."""
    await open_run(worker_context)
    both = [worker_context.scheduler(), other_worker_context.scheduler()]
    for each in both:
        await each.register()

    for _ in range(60):
        await worker_context.execute(GROW_OLD)
        await worker_context.execute(
            "UPDATE job SET lock_token = gen_random_uuid() WHERE lock_token IS NOT NULL"
        )
        taken = await asyncio.gather(*(each.take_over() for each in both))
        assert sorted(taken) == [0, 1]


async def test_a_scheduler_that_lost_its_lock_writes_nothing(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()
    await worker_context.execute(GROW_OLD)
    await second.take_over()
    await worker_context.execute(
        "UPDATE run SET cancel_at = now(), cancel_reason = 'test', cancelled_by = 'operator'"
    )
    before = await everything(worker_context)
    job_id = (await worker_context.job()).job_id

    assert await first.renew() == 0
    assert await first.watch_runs() == 0
    with pytest.raises(LockLost, match="another scheduler holds the lock"):
        await worker_context.run(lambda db: finish_job(db, job_id, first.token, runner_of(worker_context)))

    assert await everything(worker_context) == before


async def test_a_late_finisher_does_not_release_the_next_run_of_the_job(worker_context):
    first, second = await open_run(worker_context), worker_context.scheduler()
    await second.register()
    await worker_context.execute(GROW_OLD)
    await second.take_over()
    await finish_front_page(worker_context)
    await second.watch_runs()
    await make_due(worker_context)
    assert await second.start_due() == 1
    job_id = (await worker_context.job()).job_id

    with pytest.raises(LockLost):
        await worker_context.run(lambda db: finish_job(db, job_id, first.token, runner_of(worker_context)))

    assert [row["status"] for row in await runs_of(worker_context)] == ["completed", "running"]
    assert (await worker_context.job()).lock_token == second.token


async def test_a_job_that_another_scheduler_ran_meanwhile_is_not_run_again(worker_context):
    """A scheduler has read what is due; before it locks the job, another one runs it to its end."""
    await worker_context.watch(mode="spider")
    await worker_context.follow()
    await make_due(worker_context)
    late, fast = worker_context.scheduler(), worker_context.scheduler()
    [job_id] = await worker_context.run(lambda db: JobStore().due(db, most=10))
    await fast.start_due()
    await finish_front_page(worker_context)
    await fast.watch_runs()

    runner = runner_of(worker_context)
    outcome = await worker_context.run(lambda db: start_job(db, job_id, late.token, runner))

    assert outcome is NotStarted.LOST
    assert (await worker_context.job()).runs == 1


async def test_a_due_job_that_another_process_holds_is_counted_as_lost(worker_context, pool):
    await worker_context.watch(mode="spider")
    await worker_context.follow()
    await make_due(worker_context)
    slow = worker_context.scheduler()
    await slow.register()

    async with pool.acquire() as other, other.transaction():
        await other.execute("SELECT FROM job FOR UPDATE")
        assert await slow.start_due() == 0
    assert await slow.start_due() == 1

    figures = await worker_context.run(read_crawl_figures)
    assert figures.lost_races == 1


STOPPED = """
import asyncio, os, signal, sys
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.jobs.runner import JobRunner
from outrider.jobs.scheduler import Scheduler
from outrider.jobs.starting import start_job
from outrider.jobs.store import JobStore
from outrider.watch.source_runs import SourceRuns

async def main(dsn):
    connection = ReconnectingConnection(dsn, application_name="tests stopped")
    frontier = FrontierStore(FrontierOptions())
    runs = SourceRuns(frontier)
    scheduler = Scheduler(connection, JobRunner(runs.start, runs.content_hash, frontier))
    await scheduler.register()
    started = await scheduler.start_due()
    print(started, scheduler.token, flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
    renewed, going_on = await scheduler.renew(), await scheduler.watch_runs()
    print(renewed, going_on, scheduler.runs, flush=True)
    await connection.close()

asyncio.run(main(sys.argv[1]))
"""


async def test_a_process_that_slept_past_its_lock_wakes_up_and_writes_nothing(worker_context, database):
    await worker_context.watch(mode="spider")
    await worker_context.follow()
    await make_due(worker_context)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STOPPED, database, stdout=asyncio.subprocess.PIPE
    )
    try:
        started, token = (await process.stdout.readline()).decode().split()
        assert (started, str((await worker_context.job()).lock_token)) == ("1", token)
        while psutil.Process(process.pid).status() != psutil.STATUS_STOPPED:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        second: Scheduler = worker_context.scheduler()
        await second.register()
        assert await second.take_over() == 0, "a stopped process is alive"
        await worker_context.execute(GROW_OLD)
        assert await second.take_over() == 1
        await finish_front_page(worker_context)
        before = await everything(worker_context)

        os.kill(process.pid, signal.SIGCONT)

        assert (await process.stdout.readline()).decode().split() == ["0", "0", "0"]
        assert await process.wait() == 0
        assert await everything(worker_context) == before
        await second.watch_runs()
        assert [row["status"] for row in await runs_of(worker_context)] == ["completed"]
    finally:
        with suppress(ProcessLookupError):
            process.kill()
