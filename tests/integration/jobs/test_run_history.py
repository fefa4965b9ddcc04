"""The life of a job over many runs: retries, forced runs, one-time jobs, errors, pruning, figures."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.support.job_runs import finish_front_page, make_due, open_run, runs_of

from outrider.errors import Conflict, Unavailable
from outrider.jobs.finishing import fail_job
from outrider.jobs.housekeeping import prune_runs
from outrider.jobs.job_stats import job_stats
from outrider.jobs.model import Interval, JobStatus, Unit
from outrider.jobs.operate import JobChanges, add, edit, force_run, retry
from outrider.jobs.pruning import to_prune
from outrider.jobs.run_error import RunError
from outrider.runs.model import RunStatus
from outrider.runs.store import run_of_row

HOUR = timedelta(hours=1)


async def nothing(db, source, run, interval):
    """A run that has nothing to fetch."""


async def add_job(worker_context, every=None):
    source = await worker_context.source()
    return await worker_context.run(lambda db: add(db, source, every))


async def one_job(worker_context, every=None):
    """A source whose only job is one that an operator added."""
    await worker_context.watch(mode="spider")
    job = await add_job(worker_context, every)
    scheduler = worker_context.scheduler()
    await scheduler.register()
    return job, scheduler


async def fail_once(worker_context, scheduler) -> None:
    """One run whose only page is given up."""
    assert await scheduler.start_due() == 1
    await worker_context.execute("UPDATE host SET due_at = now(), next_allowed_at = now()")
    await finish_front_page(worker_context, reason="not_found", status=404, retry_in_s=None)
    assert await scheduler.watch_runs() == 0


async def test_a_failing_job_is_retried_with_growing_waits_and_then_failed(worker_context):
    job, scheduler = await one_job(worker_context, Interval(6, Unit.HOURS))
    waits = []
    for _ in range(4):
        await make_due(worker_context)
        await fail_once(worker_context, scheduler)
        job = await worker_context.job()
        waits.append(job.next_run_at and job.next_run_at - job.last_failure_at)

    assert waits == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4), None]
    assert (job.status, job.failure_count, job.lock_token) == (JobStatus.FAILED, 4, None)
    assert job.error_message == "no page could be fetched"
    runs = await runs_of(worker_context)
    assert [(run["status"], run["retry_attempt"]) for run in runs] == [("failed", n) for n in range(4)]
    await make_due(worker_context, 24 * HOUR)
    assert await scheduler.start_due() == 0

    again = await worker_context.run(lambda db: retry(db, job.job_id))
    assert (again.status, again.current_retry_count, again.error_message) == (JobStatus.PENDING, 0, None)
    assert await scheduler.start_due(asked_for=True) == 1


async def test_a_forced_run_keeps_the_rhythm(worker_context):
    job, scheduler = await one_job(worker_context, Interval(6, Unit.HOURS))
    planned = job.next_run_at

    await worker_context.run(lambda db: force_run(db, job.job_id))
    assert await scheduler.start_due(asked_for=True) == 1
    [run] = await runs_of(worker_context)
    assert run["started_by"] == "operator"
    await finish_front_page(worker_context)
    await scheduler.watch_runs()

    job = await worker_context.job()
    assert (job.status, job.next_run_at, job.slot_at) == (JobStatus.SCHEDULED, planned, planned)
    await worker_context.run(lambda db: force_run(db, job.job_id))
    await scheduler.start_due()
    with pytest.raises(Conflict, match="the job is running"):
        await worker_context.run(lambda db: force_run(db, job.job_id))


async def test_a_one_time_job_is_found_runs_once_and_has_ended(worker_context):
    job, scheduler = await one_job(worker_context)
    assert (job.status, job.every) == (JobStatus.PENDING, None)

    assert await scheduler.start_due() == 1
    await finish_front_page(worker_context)
    await scheduler.watch_runs()

    job = await worker_context.job()
    assert (job.status, job.next_run_at, job.runs) == (JobStatus.COMPLETED, None, 1)
    assert await scheduler.start_due() == 0


async def test_a_changed_interval_moves_the_next_run(worker_context):
    job, scheduler = await one_job(worker_context, Interval(6, Unit.HOURS))
    later = "UPDATE job SET next_run_at = now() + interval '5 hours', slot_at = now() + interval '5 hours'"
    await worker_context.execute(later)

    edited = await worker_context.run(
        lambda db: edit(db, job.job_id, JobChanges(every=Interval(45, Unit.MINUTES)))
    )

    assert edited.every == Interval(45, Unit.MINUTES)
    assert edited.next_run_at == edited.slot_at
    assert edited.next_run_at - edited.placed_at <= timedelta(minutes=45)
    assert edited.placed_at > job.placed_at
    await make_due(worker_context)
    await scheduler.start_due()
    before = await worker_context.job()
    await finish_front_page(worker_context)
    await scheduler.watch_runs()
    after = await worker_context.job()
    assert after.next_run_at == before.slot_at
    assert timedelta() < after.next_run_at - after.completed_at <= timedelta(minutes=45)


async def test_an_error_at_the_end_is_a_failed_run_and_holds_up_no_other_job(worker_context):
    for name in ("a", "b"):
        await worker_context.watch(name)
    await worker_context.follow()
    await make_due(worker_context)
    scheduler = worker_context.scheduler(nothing)
    await scheduler.register()
    assert await scheduler.start_due() == 2
    runner = scheduler._runner

    async def fail_for_a(db, source):
        if source.name == "a":
            raise RuntimeError("the page has no text")
        return "same"

    scheduler._runner = type(runner)(runner.start, fail_for_a, runner.frontier)

    assert await scheduler.watch_runs() == 0

    runs = await runs_of(worker_context)
    assert sorted(run["status"] for run in runs) == ["completed", "failed"]
    [failed] = [run for run in runs if run["status"] == "failed"]
    assert failed["error_message"] == "RuntimeError: the page has no text"
    assert "in fail_for_a" in failed["stack_trace"]
    jobs = await worker_context.jobs()
    assert [job.status for job in jobs] == [JobStatus.SCHEDULED] * 2
    assert [job.lock_token for job in jobs] == [None] * 2
    assert sorted(job.failure_count for job in jobs) == [0, 1]


async def test_the_run_after_one_that_an_error_ended_has_the_entries_that_waited(worker_context):
    """They would be visited as entries of a run that is over, and the new run would end at once, empty."""
    scheduler = await open_run(worker_context)
    job = await worker_context.job()
    await worker_context.run(
        lambda db: fail_job(db, job.job_id, scheduler.token, scheduler._runner, RunError("the disk is full"))
    )

    await make_due(worker_context)
    assert await scheduler.start_due() == 1
    assert await scheduler.watch_runs() == 1, "the front page still waits"
    await finish_front_page(worker_context)
    assert await scheduler.watch_runs() == 0

    entries = [run["metadata"]["crawl_metrics"]["entries"] for run in await runs_of(worker_context)]
    assert [(each["added"], each["settled"]) for each in entries] == [(1, 1), (1, 1)]


async def add_runs(worker_context, job, number, spread) -> None:
    """Runs that ended up to `spread` ago; one of the newest still runs."""
    dice = random.Random(number)
    rows = [(n, dice.uniform(0, spread / timedelta(seconds=1))) for n in range(1, number + 1)]
    await worker_context.run(
        lambda db: db.executemany(
            "INSERT INTO run "
            "(source_id, job_id, execution_number, started_by, status, started_at, completed_at) "
            f"VALUES ({job.source_id}, {job.job_id}, $1, 'schedule', 'completed', "
            "now() - $2 * interval '1 second' - interval '10 seconds', now() - $2 * interval '1 second')",
            rows,
        )
    )
    await worker_context.execute("UPDATE job SET runs = $1", number)
    await worker_context.execute(
        "INSERT INTO run_counter (run_id, slot, name, value) SELECT run_id, 0, 'pages', 1 FROM run"
    )


async def prune(worker_context, remove_log=lambda key: None) -> int:
    """One pass of the housekeeping, by a process that may write."""

    async def may_write(db) -> None: ...

    return await prune_runs(worker_context.operator.connection, may_write, remove_log)


@pytest.mark.parametrize("spread", [timedelta(days=10), timedelta(days=90), timedelta(days=4000)])
async def test_pruning_keeps_the_newest_100_of_the_last_30_days(worker_context, spread):
    job, _ = await one_job(worker_context, Interval(6, Unit.HOURS))
    await add_runs(worker_context, job, 130, spread)
    before = [run_of_row(row) for row in await runs_of(worker_context)]
    kept = {run.run_id for run in before} - {
        run.run_id for run in to_prune(before, await worker_context.now())
    }

    gone = await prune(worker_context)

    assert {row["run_id"] for row in await runs_of(worker_context)} == kept
    assert gone == 130 - len(kept)
    assert before[-1].run_id in kept
    counters = "SELECT array_agg(run_id) FROM run_counter"
    assert set(await worker_context.run(lambda db: db.fetchval(counters))) == kept


async def test_pruning_goes_on_when_an_archived_log_cannot_be_deleted(worker_context):
    job, _ = await one_job(worker_context, Interval(6, Unit.HOURS))
    await add_runs(worker_context, job, 130, timedelta(days=10))
    await worker_context.execute("UPDATE run SET log_object_key = 'logs/' || run_id")
    asked = []

    def refuse(key):
        asked.append(key)
        raise Unavailable("the archive is away")

    assert await prune(worker_context, refuse) == 30
    assert len(asked) == 30
    assert len(await runs_of(worker_context)) == 100


async def test_runs_are_numbered_on_after_pruning(worker_context):
    job, scheduler = await one_job(worker_context, Interval(6, Unit.HOURS))
    await add_runs(worker_context, job, 5, timedelta(days=4000))
    await prune(worker_context)
    await worker_context.execute("DELETE FROM run")
    await make_due(worker_context)

    await scheduler.start_due()

    assert [run["execution_number"] for run in await runs_of(worker_context)] == [6]


async def test_an_open_run_is_not_pruned_however_old(worker_context):
    await open_run(worker_context)
    job = await worker_context.job()
    await worker_context.execute("UPDATE run SET started_at = now() - interval '100 days'")
    await worker_context.execute(
        "INSERT INTO run (source_id, job_id, execution_number, started_by, status, completed_at) "
        "SELECT $1, $2, n, 'schedule', 'completed', now() FROM generate_series(2, 101) AS n",
        job.source_id,
        job.job_id,
    )

    assert await prune(worker_context) == 0


async def test_schedulers_that_are_long_gone_are_forgotten(worker_context):
    scheduler = await open_run(worker_context)
    gone = worker_context.scheduler()
    await gone.register()
    await worker_context.execute(
        "UPDATE scheduler SET beat_at = now() - interval '8 days' WHERE token = $1", gone.token
    )

    await prune(worker_context)

    tokens = "SELECT array_agg(token) FROM scheduler"
    assert await worker_context.run(lambda db: db.fetchval(tokens)) == [scheduler.token]


async def test_the_figures_of_a_scheduler(worker_context):
    first, scheduler = await open_run(worker_context), worker_context.scheduler()
    await scheduler.register()
    await first.stop()
    await scheduler.take_over()
    await finish_front_page(worker_context)
    await worker_context.execute("UPDATE run SET started_at = now() - interval '10 seconds'")
    await scheduler.watch_runs()
    await worker_context.execute("UPDATE run SET completed_at = started_at + interval '10 seconds'")
    await scheduler.start_due()
    checked = await worker_context.now()
    await worker_context.execute("SELECT pg_sleep(0.01)")

    figures = await scheduler.report()

    assert figures["jobs"] == {"scheduled": 1}
    assert (figures["total_executions"], figures["running"], figures["success_rate"]) == (1, 0, 1.0)
    assert figures["average_duration_s"] == 10.0
    assert figures["stale_locks_cleared"] == 1
    assert figures["last_check_at"] < checked.isoformat() < figures["last_metrics_update"]
    stored = "SELECT stats FROM scheduler WHERE token = $1"
    assert await worker_context.run(lambda db: db.fetchval(stored, scheduler.token)) == figures


async def test_the_figures_of_a_job(worker_context):
    job, scheduler = await one_job(worker_context, Interval(6, Unit.HOURS))
    await fail_once_due(worker_context, scheduler)
    await make_due(worker_context)
    await scheduler.start_due()
    await worker_context.execute("UPDATE host SET due_at = now(), next_allowed_at = now()")
    await finish_front_page(worker_context)
    await scheduler.watch_runs()

    job = await worker_context.job()
    runs = [run_of_row(row) for row in await runs_of(worker_context)]
    cancelled = replace(runs[0], status=RunStatus.CANCELLED)
    stats = job_stats([cancelled, *runs], job.next_run_at)
    assert (stats.total_executions, stats.successful_runs, stats.failed_runs) == (3, 1, 1)
    assert stats.cancelled_runs == 1
    assert (stats.success_rate, stats.next_scheduled_at) == (0.5, job.next_run_at)
    assert stats.last_execution_at == runs[-1].started_at


async def fail_once_due(worker_context, scheduler) -> None:
    await make_due(worker_context)
    await fail_once(worker_context, scheduler)
