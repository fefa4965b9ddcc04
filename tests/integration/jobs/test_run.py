"""Running what is due: the front page of sources that walk, in rhythm, and after failures more seldom."""

import asyncio
from datetime import timedelta

from tests.support.make import Operator, completion, urls_of

from outrider.jobs.model import JobStatus
from outrider.jobs.run import run_due
from outrider.urls import key_of

MINUTE = timedelta(minutes=1)
DUE = "UPDATE job SET next_run_at = now() - $1::interval"


async def due(worker_context, late: timedelta = timedelta(seconds=1), **said: str):
    """A source that walks, its front page visited and to be visited again in an hour, its job due."""
    source = await worker_context.watch(**{"mode": "spider", **said})
    await worker_context.follow()
    if source.mode.walks:
        lease = await worker_context.operator.claim_one()
        await worker_context.operator.complete(completion(lease.entries[0], retry_in_s=3600.0))
        await worker_context.operator.release(lease)
    await worker_context.execute(DUE, late)
    return source


async def test_a_run_asks_for_the_front_page_now(worker_context):
    source = await due(worker_context)
    assert await worker_context.operator.claim() == []

    assert await worker_context.run_due() == 1

    lease = await worker_context.operator.claim_one()
    assert [entry.url for entry in lease.entries] == [source.url]


async def test_a_front_page_that_moved_is_asked_for_where_it_went(worker_context):
    old, new = "https://blatt.test/", "https://blatt.test/start"
    source = await worker_context.watch(mode="spider")
    await worker_context.follow()
    await worker_context.operator.queue(new, source_id=source.source_id)
    lease = await worker_context.operator.claim_one()
    ends = {old: {"moved_to": key_of(new), "status": 301}, new: {"retry_in_s": 3600.0}}
    await worker_context.operator.complete(*(completion(entry, **ends[entry.url]) for entry in lease.entries))
    await worker_context.operator.release(lease)
    await worker_context.execute(DUE, MINUTE)

    await worker_context.run_due()

    assert set(urls_of(await worker_context.operator.claim())) == {old, new}


async def test_a_run_of_a_source_that_lives_on_feeds_leaves_them_their_own_times(worker_context):
    await due(worker_context, mode="feed", feed="https://blatt.test/feed")
    await worker_context.execute("UPDATE url SET next_fetch_at = now() + interval '1 hour'")
    before = await worker_context.operator.row("https://blatt.test/feed")

    assert await worker_context.run_due() == 1

    assert await worker_context.operator.row("https://blatt.test/feed") == before
    assert (await worker_context.job()).runs == 1


async def test_a_front_page_that_waits_after_a_failure_goes_on_waiting(worker_context):
    await due(worker_context)
    await worker_context.execute("UPDATE url SET attempts = 2")

    await worker_context.run_due()

    assert await worker_context.operator.claim() == []


async def test_a_run_is_counted_and_keeps_the_rhythm(worker_context):
    await due(worker_context, late=7 * MINUTE)
    before = await worker_context.job()

    await worker_context.run_due()

    after = await worker_context.job()
    assert (after.status, after.runs, after.failure_count) == (JobStatus.SCHEDULED, 1, 0)
    assert after.next_run_at == before.next_run_at + before.every.length
    assert after.completed_at is not None


async def test_after_a_long_sleep_it_runs_once(worker_context):
    await due(worker_context, late=timedelta(days=30))

    assert await worker_context.run_due() == 1
    assert await worker_context.run_due() == 0

    job = await worker_context.job()
    assert timedelta() < job.next_run_at - job.completed_at <= job.every.length


async def test_what_is_not_due_paused_or_of_a_resting_source_does_not_run(worker_context):
    await due(worker_context)
    for rest in (
        "UPDATE job SET next_run_at = now() + interval '1 minute'",
        "UPDATE source SET held = true",
        "UPDATE source SET enabled = false, disabled_at = now(), disable_reason = 'sold'",
    ):
        await worker_context.execute("UPDATE source SET held = false")
        await worker_context.execute("UPDATE job SET next_run_at = now()")
        await worker_context.execute(rest)

        assert await worker_context.run_due() == 0

    assert (await worker_context.job()).runs == 0


async def test_a_failing_run_leaves_no_trace_but_its_reason_and_backs_off(worker_context):
    await due(worker_context)
    before = await worker_context.job()

    async def fail(db, source):
        await db.execute("DELETE FROM url")
        raise RuntimeError("the front page has no address")

    waits = []
    for _ in range(7):
        await worker_context.run_due(fail)
        job = await worker_context.job()
        waits.append(job.next_run_at - job.last_failure_at)
        await worker_context.execute(DUE, MINUTE)

    length = before.every.length
    assert waits == [min(length * 2**times, timedelta(hours=24)) for times in range(1, 8)]
    assert (job.status, job.failure_count) == (JobStatus.SCHEDULED, 7)
    assert job.error_message == "RuntimeError: the front page has no address"
    assert await worker_context.operator.row("https://blatt.test/") is not None

    await worker_context.run_due()
    healed = await worker_context.job()
    assert (healed.failure_count, healed.error_message, healed.backoff_until) == (0, None, None)


async def test_one_that_fails_keeps_no_other_from_running(worker_context):
    await worker_context.watch("a")
    await worker_context.watch("b")
    await worker_context.follow()
    await worker_context.execute(DUE, MINUTE)
    seen = []

    async def fail_for_a(db, source):
        seen.append(source.name)
        if source.name == "a":
            raise RuntimeError("no")

    assert await worker_context.run_due(fail_for_a) == 2
    assert sorted(seen) == ["a", "b"]


async def test_the_more_urgent_runs_first(worker_context):
    for name, priority in (("low", "1"), ("critical", "10"), ("normal", "5")):
        await worker_context.watch(name, priority=priority)
    await worker_context.follow()
    await worker_context.execute(DUE, MINUTE)
    seen = []

    async def note(db, source):
        seen.append(source.name)

    await worker_context.run_due(note)

    assert seen == ["critical", "normal", "low"]


async def test_two_workers_run_each_job_once(worker_context, database):
    for number in range(10):
        await worker_context.watch(f"n{number}")
    await worker_context.follow()
    await worker_context.execute(DUE, MINUTE)
    other = await Operator.enter(database)
    seen = []

    async def note(db, source):
        seen.append(source.name)

    await asyncio.gather(worker_context.run_due(note), run_due(other.connection, note))
    await other.connection.close()

    assert sorted(seen) == [f"n{number}" for number in range(10)]


async def test_who_dies_in_the_middle_leaves_the_job_due(worker_context, pool):
    await due(worker_context)
    async with pool.acquire() as db:
        dying = db.transaction()
        await dying.start()
        await db.execute("UPDATE job SET status = 'running', runs = runs + 1")
        assert await worker_context.run_due() == 0, "somebody has it in hand"
        await dying.rollback()

    assert await worker_context.run_due() == 1
    assert (await worker_context.job()).runs == 1
