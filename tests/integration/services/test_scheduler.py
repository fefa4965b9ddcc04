"""Use cases of the scheduler: its state, the distribution, and a rebalance."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.support.make import Operator
from tests.support.scheduling import complete_run, fail_run, scheduler, start_runs, watch

from outrider.errors import Conflict, Unavailable
from outrider.jobs.filter import JobFilter
from outrider.jobs.model import Interval, Unit
from outrider.jobs.options import JobOptions
from outrider.jobs.overview import NO_JOBS, read_job_overview
from outrider.jobs.rebalance import Fixed
from outrider.jobs.slot_times import slot_of
from outrider.services.as_json import as_json
from outrider.services.jobs.changes import JobVerb, change_job, command_for
from outrider.services.jobs.jobs import JobRequest, add_job, list_jobs
from outrider.services.jobs.scheduler import rebalance_jobs, scheduler_status, show_distribution
from outrider.services.paging import PageRequest
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService

OPTIONS = JobOptions()
DAILY = Interval(1, Unit.DAYS)
JOBS = 96


@pytest.fixture
async def daily(operator):
    """As many daily jobs as a day has slots, all in one slot 12 hours ahead, placed two days ago."""
    await watch(operator, "blatt")
    await operator.run(lambda db: db.execute("DELETE FROM job"))
    for _ in range(JOBS):
        await operator.run(lambda db: add_job(db, JobRequest("blatt", DAILY), OPTIONS))
    await operator.run(
        lambda db: db.execute(
            "UPDATE job SET next_run_at = at, slot_at = at, placed_at = now() - interval '2 days' "
            "FROM (SELECT date_trunc('hour', now()) + interval '12 hours' AS at) AS noon"
        )
    )


async def jobs_of(operator):
    found = await operator.run(lambda db: list_jobs(db, JobFilter(), PageRequest(250)))
    return {each.job.job_id: each.job for each in found.items}


async def rebalance(operator, options=OPTIONS, *, dry_run=False):
    return await operator.run(lambda db: rebalance_jobs(db, options, dry_run=dry_run))


async def status(operator, options=OPTIONS):
    return await operator.run(lambda db: scheduler_status(db, options))


async def distribution(operator, options=OPTIONS):
    return as_json(await operator.run(lambda db: show_distribution(db, options)))


async def test_the_distribution_counts_the_jobs_of_the_database_by_hour(operator, daily):
    at = next(iter((await jobs_of(operator)).values())).next_run_at

    found = await distribution(operator)

    assert found["hourly_counts"] == [JOBS if hour == at.hour else 0 for hour in range(24)]
    assert (found["total_jobs"], found["average_per_hour"]) == (JOBS, JOBS / 24)
    assert (found["max_per_hour"], found["min_per_hour"]) == (JOBS, 0)
    assert (found["peak_hour"], found["peak_count"], found["slot_minutes"]) == (at.hour, JOBS, 15)
    assert found["distribution_score"] == 0
    assert found["load_balancing"] is True
    assert "message" not in found


async def test_with_load_balancing_off_the_distribution_says_so_and_nothing_is_moved(operator, daily):
    off = replace(OPTIONS, balancing=False)

    found = await distribution(operator, off)
    assert found["load_balancing"] is False
    assert found["message"].startswith("load balancing is switched off by OUTRIDER_LOAD_BALANCING")
    with pytest.raises(Conflict, match="switched off by OUTRIDER_LOAD_BALANCING"):
        await rebalance(operator, off)


async def test_a_preview_changes_nothing_and_tells_what_the_execution_does(operator, daily):
    before = await jobs_of(operator)
    preview = await rebalance(operator, dry_run=True)
    assert await jobs_of(operator) == before

    done = await rebalance(operator)

    after = await jobs_of(operator)
    assert (preview.dry_run, preview.jobs_updated) == (True, 0)
    assert replace(preview, dry_run=False, jobs_updated=done.jobs_updated) == done
    assert done.jobs_updated == done.total_moves == len(done.moves) > JOBS / 2
    for move in done.moves:
        assert (before[move.job_id].next_run_at, after[move.job_id].next_run_at) == (
            move.from_time,
            move.to_time,
        )
        assert (move.from_slot, move.to_slot) == (slot_of(move.from_time), slot_of(move.to_time))
        assert after[move.job_id].slot_at == move.to_time
        assert after[move.job_id].placed_at is not None
    moved = {move.job_id for move in done.moves}
    assert all(after[job_id] == job for job_id, job in before.items() if job_id not in moved)
    spread = await distribution(operator)
    assert spread["distribution_score"] == pytest.approx(done.after_score)
    assert done.improvement == pytest.approx(done.after_score - done.before_score)
    assert done.after_score > 0.9
    assert done.before_score == 0


async def test_moved_jobs_are_left_alone_for_an_hour(operator, daily):
    moved = {move.job_id for move in (await rebalance(operator)).moves}

    again = await rebalance(operator)

    assert again.moves == []
    cooling = {each.job_id for each in again.skipped if each.reason is Fixed.PLACEMENT_COOLDOWN}
    due_soon = {each.job_id for each in again.skipped if each.reason is Fixed.PROTECTION_WINDOW}
    assert moved <= cooling | due_soon
    assert len(cooling) > JOBS / 2


async def test_jobs_that_run_or_are_to_be_run_at_once_are_skipped(operator, daily):
    running, forced, soon, *_ = await jobs_of(operator)
    await operator.run(
        lambda db: db.execute(
            "UPDATE job SET next_run_at = now() + interval '10 minutes' WHERE job_id = $1", soon
        )
    )
    await operator.run(lambda db: db.execute("UPDATE job SET slot_at = next_run_at WHERE job_id = $1", soon))
    await start_runs(operator, running)
    run_now = command_for(JobVerb.RUN, OPTIONS)
    await operator.run(lambda db: change_job(db, str(forced), run_now))

    done = await rebalance(operator)

    skipped = {each.job_id: each.reason.value for each in done.skipped}
    assert skipped == {running: "job_running", forced: "job_running", soon: "protection_window"}
    assert not {running, forced, soon} & {move.job_id for move in done.moves}


async def test_a_change_that_commits_first_is_part_of_the_plan(operator, daily, database):
    """The rebalance waits for the lock of a job and then reads the job."""
    other = await Operator.enter(database)
    job_id, *_ = await jobs_of(operator)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def pause_slowly(db):
        async with db.transaction():
            await command_for(JobVerb.PAUSE, OPTIONS)(db, job_id)
            begun.set()
            await go_on.wait()

    pausing = asyncio.create_task(other.run(pause_slowly))
    await begun.wait()
    moving = asyncio.create_task(rebalance(operator))
    third = await Operator.enter(database)
    await third.until_a_lock_is_awaited()
    go_on.set()
    await pausing
    done = await moving

    assert job_id not in {each.job_id for each in [*done.moves, *done.skipped]}
    assert (await jobs_of(operator))[job_id].is_paused
    for each in other, third:
        await each.connection.close()


async def test_the_status_shows_schedulers_their_runs_and_the_figures(operator, daily):
    first, second, third, *_ = await jobs_of(operator)
    await complete_run(operator, first)
    await fail_run(operator, second)
    alive = await start_runs(operator, third)
    await alive.renew()
    await alive.report()

    found = await status(operator)

    [line] = found.alive
    assert (line.token, line.runs) == (alive.token, 1)
    assert [each.stopped_at is not None for each in found.schedulers] == [False, True]
    assert dict(found.figures.jobs) == {"scheduled": JOBS - 1, "running": 1}
    assert (found.figures.total_executions, found.figures.success_rate) == (3, 0.5)
    assert found.last_check_at == line.beat_at
    assert found.last_metrics_update == line.stats["last_metrics_update"]
    assert found.warnings[0].startswith("50% of the runs of the last day succeeded")


async def test_runs_that_were_taken_over_again_and_again_are_a_warning(operator, daily):
    first, second, third, *_ = await jobs_of(operator)
    dead = await start_runs(operator, first, second, third)
    await dead.stop()
    heir = scheduler(operator)
    await heir.register()
    assert not any("taken over" in each for each in (await status(operator)).warnings)

    assert await heir.take_over() == 3

    found = await status(operator)
    assert found.stale_locks_cleared == 3
    assert any(each.startswith("3 runs were taken over") for each in found.warnings)


async def test_a_poor_distribution_is_a_warning_until_it_is_rebalanced(operator, daily):
    await operator.run(lambda db: db.execute("UPDATE job SET interval_count = 1, interval_type = 'hours'"))
    assert (await status(operator)).warnings == []
    await operator.run(lambda db: db.execute("UPDATE job SET interval_type = 'days'"))

    [warning] = (await status(operator)).warnings
    assert warning.startswith("the distribution score is 0.00, less than 0.7")


async def test_a_disabled_scheduler_is_not_controlled_unless_one_runs_elsewhere(operator, daily):
    off = replace(OPTIONS, enabled=False)
    assert (await status(operator, off)).enabled is False
    with pytest.raises(Unavailable, match="the scheduler is disabled by OUTRIDER_SCHEDULER"):
        await rebalance(operator, off)

    elsewhere = scheduler(operator)
    await elsewhere.register()
    await elsewhere.renew()

    assert (await rebalance(operator, off, dry_run=True)).total_moves > 0


async def test_a_day_that_was_spread_evenly_needs_no_move(operator):
    await watch(operator, "blatt")
    await operator.run(lambda db: db.execute("DELETE FROM job"))
    for _ in range(24):
        await operator.run(lambda db: add_job(db, JobRequest("blatt", DAILY), OPTIONS))
    await operator.run(lambda db: db.execute("UPDATE job SET placed_at = now() - interval '2 days'"))

    times = sorted(job.next_run_at for job in (await jobs_of(operator)).values())
    assert times[-1] - times[0] < timedelta(days=1)
    assert len({slot_of(at) for at in times}) == 24


async def test_the_overview_counts_the_jobs_and_names_the_next_one(operator):
    assert await operator.run(read_job_overview) == NO_JOBS
    for name in ("blatt", "sport", "gone"):
        await watch(operator, name)
    first, second, third = await jobs_of(operator)
    await start_runs(operator, first)
    await operator.run(
        lambda db: db.execute("UPDATE job SET next_run_at = '2026-01-01T12:00Z' WHERE job_id = $1", second)
    )
    await operator.run(
        lambda db: db.execute("UPDATE job SET next_run_at = '2025-01-01T12:00Z' WHERE job_id = $1", third)
    )
    names = {line.job_id: line.source_id for line in (await jobs_of(operator)).values()}
    gone = await operator.run(lambda db: SourceStore().by_id(db, names[third]))
    await operator.run(lambda db: SourceService(operator.store).disable(db, gone, "sold"))

    found = await operator.run(read_job_overview)

    next_source = await operator.run(lambda db: SourceStore().by_id(db, names[second]))
    assert (found.jobs, found.running, found.failed) == (2, 1, 0)
    assert (found.next_source, found.next_run_at) == (next_source.name, datetime(2026, 1, 1, 12, tzinfo=UTC))
