"""Jobs follow their sources, event by event (SRC-10), however events come."""

import asyncio
from datetime import timedelta

import pytest
from tests.support.events import event
from tests.support.make import Operator

from outrider.events.model import EventType
from outrider.events.outbox import handle_waiting
from outrider.jobs.follow import Follower
from outrider.jobs.model import Interval, JobStatus, PausedBy, Unit
from outrider.jobs.operate import JobChanges, add, cancel, edit, pause
from outrider.jobs.store import JobStore

MINUTE = timedelta(minutes=1)


async def test_a_new_source_gets_a_job_that_runs_as_it_plans(worker_context):
    await worker_context.watch(priority="9", delay="6s", depth="2")
    await worker_context.follow()

    job = await worker_context.job()
    assert (job.status, job.auto_managed, str(job.every), job.priority) == (
        JobStatus.SCHEDULED,
        True,
        "15 minutes",
        100,
    )
    assert job.next_run_at == job.created_at, "a critical one runs at once"


async def test_a_source_added_as_disabled_has_no_job_until_it_is_enabled(worker_context):
    await worker_context.watch(enabled="no")
    await worker_context.follow()
    assert await worker_context.jobs() == []

    await worker_context.enable()
    await worker_context.follow()
    assert (await worker_context.job()).status is JobStatus.SCHEDULED


async def test_an_edit_changes_the_schedule_only_where_that_depends_on_it(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    before = await worker_context.job()

    await worker_context.edit(labels="a, b", mode="both")
    await worker_context.follow()
    assert await worker_context.job() == before

    await worker_context.edit(priority="9")
    await worker_context.follow()
    after = await worker_context.job()
    assert (str(before.every), before.priority) == ("38 minutes", 50)
    assert (str(after.every), after.priority) == ("10 minutes", 100)


async def test_a_shorter_interval_counts_at_once_and_a_longer_one_from_the_next_run(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    await worker_context.execute("UPDATE job SET next_run_at = now() + interval '38 minutes'")

    await worker_context.edit(priority="9")
    await worker_context.follow()
    sooner = await worker_context.job()
    assert sooner.next_run_at <= await worker_context.now() + 15 * MINUTE

    await worker_context.edit(priority="1")
    await worker_context.follow()
    assert (await worker_context.job()).next_run_at == sooner.next_run_at


async def test_an_edit_does_not_make_a_failing_job_due_sooner(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    later = "now() + interval '5 hours'"
    await worker_context.execute(f"UPDATE job SET next_run_at = {later}, backoff_until = {later}")
    before = await worker_context.job()

    await worker_context.edit(priority="9")
    await worker_context.follow()

    assert (await worker_context.job()).next_run_at == before.next_run_at


async def test_disabling_pauses_and_enabling_resumes(worker_context):
    await worker_context.watch()
    await worker_context.follow()

    await worker_context.disable()
    await worker_context.follow()
    paused = await worker_context.job()
    assert (paused.status, paused.paused_by, paused.next_run_at) == (JobStatus.PAUSED, PausedBy.SOURCE, None)
    assert paused.paused_at is not None

    await worker_context.enable()
    await worker_context.follow()
    resumed = await worker_context.job()
    assert (resumed.status, resumed.paused_by, resumed.paused_at) == (JobStatus.SCHEDULED, None, None)
    assert resumed.next_run_at == resumed.slot_at > resumed.updated_at, "it runs in the least-loaded slot"


async def test_what_changed_while_it_was_paused_counts_when_it_goes_on(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    await worker_context.disable()
    await worker_context.follow()
    await worker_context.edit(priority="9")
    await worker_context.enable()
    await worker_context.follow()

    assert str((await worker_context.job()).every) == "10 minutes"


async def test_a_schedule_that_an_operator_set_survives_a_pause_by_the_source(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    job = await worker_context.job()
    wanted = JobChanges(every=Interval(6, Unit.HOURS), priority=7)
    await worker_context.run(lambda db: edit(db, job.job_id, wanted))

    await worker_context.disable()
    await worker_context.follow()
    await worker_context.edit(priority="9")
    await worker_context.enable()
    await worker_context.follow()

    resumed = await worker_context.job()
    assert (resumed.status, str(resumed.every), resumed.priority) == (JobStatus.SCHEDULED, "6 hours", 7)


async def test_a_job_that_a_person_paused_goes_on_after_the_source_was_disabled_and_enabled(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    job = await worker_context.job()
    await worker_context.run(lambda db: pause(db, job.job_id))

    await worker_context.edit(labels="a")
    await worker_context.follow()
    assert (await worker_context.job()).paused_by is PausedBy.OPERATOR, "an edit ends no pause"

    await worker_context.disable()
    await worker_context.follow()
    await worker_context.enable()
    await worker_context.follow()
    assert (await worker_context.job()).status is JobStatus.SCHEDULED


async def test_removing_takes_the_job_along_and_adding_again_makes_a_new_one(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    first = await worker_context.job()

    await worker_context.remove()
    await worker_context.follow()
    assert await worker_context.jobs() == []

    await worker_context.watch()
    await worker_context.follow()
    second = await worker_context.job()
    assert (second.source_id, second.status) == (first.source_id, JobStatus.SCHEDULED)
    assert second.public_id != first.public_id


async def test_removing_takes_the_jobs_of_operators_along(worker_context):
    """In whatever state they are; other sources keep theirs (SRC-10, JOB-21)."""
    source, other = await worker_context.watch(), await worker_context.watch("post")
    await worker_context.follow()

    async def add_jobs(db):
        await add(db, other, Interval(6, Unit.HOURS))
        await add(db, source, None)
        await pause(db, (await add(db, source, Interval(6, Unit.HOURS))).job_id)
        await cancel(db, (await add(db, source, Interval(1, Unit.DAYS))).job_id)
        return await add(db, source, Interval(6, Unit.HOURS))

    job = await worker_context.run(add_jobs)
    await worker_context.remove()
    await worker_context.follow()

    assert {each.source_id for each in await worker_context.jobs()} == {other.source_id}
    assert len(await worker_context.jobs()) == 2
    entries = await worker_context.run(lambda db: JobStore().slot_entries(db))
    assert job.job_id not in {entry.job_id for entry in entries}


async def test_a_running_job_is_not_disturbed(worker_context):
    await worker_context.watch()
    await worker_context.follow()
    await worker_context.execute("UPDATE job SET status = 'running', started_at = now()")
    before = await worker_context.job()

    await worker_context.edit(priority="9")
    await worker_context.disable()
    await worker_context.follow()

    after = await worker_context.job()
    assert (after.status, after.next_run_at) == (before.status, before.next_run_at)


@pytest.mark.parametrize("order", ["1234", "4321", "2143", "3412"])
async def test_events_in_any_order_end_in_the_same_job(worker_context, order):
    """Created, disabled, enabled, edited: all of it happened before anybody looked."""
    await worker_context.watch()
    await worker_context.disable()
    await worker_context.enable()
    await worker_context.edit(priority="9")
    rows = await worker_context.run(lambda db: db.fetch("SELECT number FROM source_event ORDER BY number"))
    turned = [rows[int(each) - 1]["number"] for each in order]
    await worker_context.execute(
        "UPDATE source_event SET event_id = o.event_id, event_type = o.event_type FROM source_event o "
        "WHERE o.number = ($1::bigint[])[source_event.number]",
        turned,
    )

    assert await worker_context.follow() == 4

    job = await worker_context.job()
    assert (job.status, job.priority) == (JobStatus.SCHEDULED, 100)


@pytest.mark.parametrize("event_type", EventType)
async def test_a_late_event_does_no_harm(worker_context, event_type):
    """Another program says something about the source that is not true any more, or never was."""
    source = await worker_context.watch()
    await worker_context.follow()
    before = await worker_context.job()
    late = event(event_type, source_id=source.public_id)

    await worker_context.run(lambda db: Follower().handle(db, late))

    assert await worker_context.job() == before


@pytest.mark.parametrize("event_type", EventType)
async def test_an_event_about_an_unknown_source_has_no_effect(worker_context, event_type):
    await worker_context.run(lambda db: Follower().handle(db, event(event_type)))

    assert await worker_context.jobs() == []


async def test_two_workers_that_follow_the_same_source_make_one_job(worker_context, database):
    source = await worker_context.watch()
    other = await Operator.enter(database)
    both = [
        each.run(lambda db: Follower().handle(db, event(source_id=source.public_id)))
        for each in (worker_context.operator, other)
    ]

    await asyncio.gather(*both, handle_waiting(other.connection, Follower().handle))
    await other.connection.close()

    assert len(await worker_context.jobs()) == 1


async def test_a_source_is_locked_from_its_reading_to_the_effect(worker_context, pool):
    """Else a job could be set going by what was true a moment ago, after everything else had been heard."""
    source = await worker_context.watch()
    async with pool.acquire() as db:
        following = db.transaction()
        await following.start()
        await Follower().follow(db, source.public_id)
        disabling = asyncio.create_task(worker_context.disable())
        waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        while not disabling.done() and not await pool.fetchval(f"SELECT count(*) {waiting}"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert not disabling.done()
        await following.commit()
        await disabling

    await worker_context.follow()

    assert (await worker_context.job()).paused_by is PausedBy.SOURCE
