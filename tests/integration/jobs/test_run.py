"""Running what is due: the front page of sources that walk, in rhythm, and after failures more seldom."""

import asyncio
from datetime import timedelta

from tests.support.make import Clerk, completion, urls_of

from outrider.jobs.model import Status
from outrider.jobs.run import run_due
from outrider.urls import key_of

MINUTE = timedelta(minutes=1)
DUE = "UPDATE job SET next_run_at = now() - $1::interval"


async def due(office, late: timedelta = timedelta(seconds=1), **said: str):
    """A source that walks, its front page visited and to be visited again in an hour, its job due."""
    source = await office.watch(**{"mode": "spider", **said})
    await office.follow()
    if source.mode.walks:
        lease = await office.clerk.claim_one()
        await office.clerk.complete(completion(lease.entries[0], retry_in_s=3600.0))
        await office.clerk.release(lease)
    await office.execute(DUE, late)
    return source


async def test_a_run_asks_for_the_front_page_now(office):
    source = await due(office)
    assert await office.clerk.claim() == []

    assert await office.run_due() == 1

    lease = await office.clerk.claim_one()
    assert [entry.url for entry in lease.entries] == [source.url]


async def test_a_front_page_that_moved_is_asked_for_where_it_went(office):
    old, new = "https://blatt.test/", "https://blatt.test/start"
    source = await office.watch(mode="spider")
    await office.follow()
    await office.clerk.queue(new, source_id=source.source_id)
    lease = await office.clerk.claim_one()
    ends = {old: {"moved_to": key_of(new), "status": 301}, new: {"retry_in_s": 3600.0}}
    await office.clerk.complete(*(completion(entry, **ends[entry.url]) for entry in lease.entries))
    await office.clerk.release(lease)
    await office.execute(DUE, MINUTE)

    await office.run_due()

    assert set(urls_of(await office.clerk.claim())) == {old, new}


async def test_a_run_of_a_source_that_lives_on_feeds_leaves_them_their_own_times(office):
    await due(office, mode="feed", feed="https://blatt.test/feed")
    await office.execute("UPDATE url SET q_at = now() + interval '1 hour'")
    before = await office.clerk.row("https://blatt.test/feed")

    assert await office.run_due() == 1

    assert await office.clerk.row("https://blatt.test/feed") == before
    assert (await office.job()).runs == 1


async def test_a_front_page_that_waits_after_a_failure_goes_on_waiting(office):
    await due(office)
    await office.execute("UPDATE url SET attempts = 2")

    await office.run_due()

    assert await office.clerk.claim() == []


async def test_a_run_is_counted_and_keeps_the_rhythm(office):
    await due(office, late=7 * MINUTE)
    before = await office.job()

    await office.run_due()

    after = await office.job()
    assert (after.status, after.runs, after.failure_count) == (Status.SCHEDULED, 1, 0)
    assert after.next_run_at == before.next_run_at + before.every.length
    assert after.completed_at is not None


async def test_after_a_long_sleep_it_runs_once(office):
    await due(office, late=timedelta(days=30))

    assert await office.run_due() == 1
    assert await office.run_due() == 0

    job = await office.job()
    assert timedelta() < job.next_run_at - job.completed_at <= job.every.length


async def test_what_is_not_due_paused_or_of_a_resting_source_does_not_run(office):
    await due(office)
    for rest in (
        "UPDATE job SET next_run_at = now() + interval '1 minute'",
        "UPDATE source SET held = true",
        "UPDATE source SET enabled = false, disabled_at = now(), disable_reason = 'sold'",
    ):
        await office.execute("UPDATE source SET held = false")
        await office.execute("UPDATE job SET next_run_at = now()")
        await office.execute(rest)

        assert await office.run_due() == 0

    assert (await office.job()).runs == 0


async def test_a_failing_run_leaves_no_trace_but_its_reason_and_backs_off(office):
    await due(office)
    before = await office.job()

    async def fail(db, source):
        await db.execute("DELETE FROM url")
        raise RuntimeError("the front page has no address")

    waits = []
    for _ in range(7):
        await office.run_due(fail)
        job = await office.job()
        waits.append(job.next_run_at - job.last_failure_at)
        await office.execute(DUE, MINUTE)

    length = before.every.length
    assert waits == [min(length * 2**times, timedelta(hours=24)) for times in range(1, 8)]
    assert (job.status, job.failure_count) == (Status.SCHEDULED, 7)
    assert job.error_message == "RuntimeError: the front page has no address"
    assert await office.clerk.row("https://blatt.test/") is not None

    await office.run_due()
    healed = await office.job()
    assert (healed.failure_count, healed.error_message, healed.backoff_until) == (0, None, None)


async def test_one_that_fails_keeps_no_other_from_running(office):
    await office.watch("a")
    await office.watch("b")
    await office.follow()
    await office.execute(DUE, MINUTE)
    seen = []

    async def fail_for_a(db, source):
        seen.append(source.name)
        if source.name == "a":
            raise RuntimeError("no")

    assert await office.run_due(fail_for_a) == 2
    assert sorted(seen) == ["a", "b"]


async def test_the_more_urgent_runs_first(office):
    for name, priority in (("low", "1"), ("critical", "10"), ("normal", "5")):
        await office.watch(name, priority=priority)
    await office.follow()
    await office.execute(DUE, MINUTE)
    seen = []

    async def note(db, source):
        seen.append(source.name)

    await office.run_due(note)

    assert seen == ["critical", "normal", "low"]


async def test_two_workers_run_each_job_once(office, database):
    for number in range(10):
        await office.watch(f"n{number}")
    await office.follow()
    await office.execute(DUE, MINUTE)
    other = await Clerk.enter(database)
    seen = []

    async def note(db, source):
        seen.append(source.name)

    await asyncio.gather(office.run_due(note), run_due(other.line, note))
    await other.line.close()

    assert sorted(seen) == [f"n{number}" for number in range(10)]


async def test_who_dies_in_the_middle_leaves_the_job_due(office, pool):
    await due(office)
    async with pool.acquire() as db:
        dying = db.transaction()
        await dying.start()
        await db.execute("UPDATE job SET status = 'running', runs = runs + 1")
        assert await office.run_due() == 0, "somebody has it in hand"
        await dying.rollback()

    assert await office.run_due() == 1
    assert (await office.job()).runs == 1
