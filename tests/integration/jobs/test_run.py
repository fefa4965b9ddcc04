"""Starting what is due: which jobs, in which order, what a run fetches first, and what errors do."""

import asyncio
from datetime import timedelta

from tests.support.make import completion, urls_of

from outrider.jobs.model import JobStatus
from outrider.urls import key_of

MINUTE = timedelta(minutes=1)
IS_DUE = "SELECT next_fetch_at <= now() FROM url WHERE url = $1"
DUE = "UPDATE job SET next_run_at = now() - $1::interval, slot_at = now() - $1::interval"


async def due(worker_context, late: timedelta = timedelta(seconds=1), **said: str):
    """A source that follows links, its front page visited and to be visited again in an hour, its job due."""
    source = await worker_context.watch(**{"mode": "spider", **said})
    await worker_context.follow()
    if source.mode.follows_links:
        lease = await worker_context.operator.claim_one()
        await worker_context.operator.complete(completion(lease.entries[0], retry_in_s=3600.0))
        await worker_context.operator.release(lease)
    await worker_context.execute(DUE, late)
    return source


async def nothing(db, source, run, interval):
    """A run that has nothing to fetch."""


async def test_a_run_asks_for_the_front_page_now(worker_context):
    source = await due(worker_context)
    assert await worker_context.operator.claim() == []

    assert await worker_context.run_due() == 1

    lease = await worker_context.operator.claim_one()
    assert [(entry.url, entry.run_id > 0) for entry in lease.entries] == [(source.url, True)]
    assert (await worker_context.job()).status is JobStatus.RUNNING


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


async def test_what_was_found_before_the_first_run_belongs_to_it(worker_context):
    source = await due(worker_context)
    found = [f"{source.url}{number}" for number in range(3)]
    await worker_context.operator.queue(*found, source_id=source.source_id)
    await worker_context.operator.queue(f"{source.url}of-another-source")

    await worker_context.run_due()

    lease = await worker_context.operator.claim_one()
    [run_id] = {entry.run_id for entry in lease.entries if entry.run_id > 0}
    assert {entry.url for entry in lease.entries if entry.run_id == run_id} == {source.url, *found}
    counts = await worker_context.run(lambda db: worker_context.operator.store.run_counts(db, [run_id]))
    assert counts[run_id]["added"] == 1 + len(found)


async def test_a_run_polls_feeds_whose_last_poll_is_old(worker_context):
    feed = "https://blatt.test/feed"
    await due(worker_context, mode="feed", feed=feed)
    for polled, is_polled in (("10 minutes", False), ("1 day", True)):
        await worker_context.execute("UPDATE url SET next_fetch_at = now() + interval '1 hour'")
        await worker_context.execute(f"UPDATE channel SET polled_at = now() - interval '{polled}'")
        await worker_context.run_to_end()

        assert await worker_context.run(lambda db: db.fetchval(IS_DUE, feed)) is is_polled
        await worker_context.execute(DUE, MINUTE)


async def test_a_run_that_an_operator_asks_for_polls_every_feed(worker_context):
    from outrider.jobs.operate import force_run

    feed = "https://blatt.test/feed"
    await due(worker_context, mode="feed", feed=feed)
    await worker_context.execute("UPDATE url SET next_fetch_at = now() + interval '1 hour'")
    await worker_context.execute("UPDATE channel SET polled_at = now()")
    job = await worker_context.job()
    await worker_context.run(lambda db: force_run(db, job.job_id))

    await worker_context.run_due()

    assert urls_of(await worker_context.operator.claim()) == [feed]


async def test_a_front_page_that_waits_after_a_failure_goes_on_waiting(worker_context):
    await due(worker_context)
    await worker_context.execute("UPDATE url SET attempts = 2")

    await worker_context.run_due()

    assert await worker_context.operator.claim() == []


async def test_a_run_is_counted_and_keeps_the_rhythm(worker_context):
    await due(worker_context, late=7 * MINUTE)
    failed = "UPDATE job SET current_retry_count = 2, failure_count = 2, error_message = 'away'"
    await worker_context.execute(failed)
    before = await worker_context.job()

    await worker_context.run_to_end(nothing)

    after = await worker_context.job()
    assert (after.status, after.runs, after.failure_count) == (JobStatus.SCHEDULED, 1, 0)
    assert (after.current_retry_count, after.error_message) == (0, None)
    assert after.next_run_at == before.slot_at + before.every.length
    assert after.completed_at is not None
    assert after.lock_token is None


async def test_after_a_long_sleep_it_runs_once(worker_context):
    await due(worker_context, late=timedelta(days=30))

    assert await worker_context.run_to_end(nothing) == 1
    assert await worker_context.run_to_end(nothing) == 0

    job = await worker_context.job()
    assert timedelta() < job.next_run_at - job.completed_at <= job.every.length


async def test_what_is_not_due_paused_or_of_a_resting_source_does_not_run(worker_context):
    await due(worker_context)
    for rest in (
        "UPDATE job SET next_run_at = now() + interval '1 minute'",
        "INSERT INTO held_source SELECT source_id, true FROM source",
        "UPDATE source SET enabled = false, disabled_at = now(), disable_reason = 'sold'",
    ):
        await worker_context.execute("DELETE FROM held_source")
        await worker_context.execute("UPDATE job SET next_run_at = now()")
        await worker_context.execute(rest)

        assert await worker_context.run_due() == 0

    assert (await worker_context.job()).runs == 0


async def test_an_error_at_the_start_is_a_failed_run_with_its_stack_trace(worker_context):
    await due(worker_context)

    async def fail(db, source, run, interval):
        await db.execute("DELETE FROM url")
        raise RuntimeError("the front page has no address")

    waits = []
    for _ in range(3):
        await worker_context.run_to_end(fail)
        job = await worker_context.job()
        waits.append(job.next_run_at - job.last_failure_at)
        await worker_context.execute(DUE, MINUTE)

    assert waits == [timedelta(seconds=each) for each in (60, 120, 240)]
    assert (job.status, job.failure_count, job.lock_token) == (JobStatus.SCHEDULED, 3, None)
    assert job.error_message == "RuntimeError: the front page has no address"
    assert await worker_context.operator.row("https://blatt.test/") is not None
    runs = await worker_context.run(
        lambda db: db.fetch("SELECT status::text, stack_trace, execution_number FROM run ORDER BY run_id")
    )
    assert [(row["status"], row["execution_number"]) for row in runs] == [
        ("failed", 1),
        ("failed", 2),
        ("failed", 3),
    ]
    assert "RuntimeError: the front page has no address" in runs[0]["stack_trace"]

    await worker_context.run_to_end(nothing)
    healed = await worker_context.job()
    assert (healed.failure_count, healed.error_message, healed.backoff_until) == (0, None, None)


async def test_one_that_fails_keeps_no_other_from_running(worker_context):
    await worker_context.watch("a")
    await worker_context.watch("b")
    await worker_context.follow()
    await worker_context.execute(DUE, MINUTE)
    seen = []

    async def fail_for_a(db, source, run, interval):
        seen.append(source.name)
        if source.name == "a":
            raise RuntimeError("no")

    assert await worker_context.run_due(fail_for_a) == 1
    assert sorted(seen) == ["a", "b"]


async def test_the_more_urgent_runs_first_and_what_was_asked_for_before_all(worker_context):
    for name, priority in (("low", "1"), ("critical", "10"), ("normal", "5"), ("asked", "1")):
        await worker_context.watch(name, priority=priority)
    await worker_context.follow()
    await worker_context.execute(DUE, MINUTE)
    await worker_context.execute(
        "UPDATE job SET status = 'pending' "
        "WHERE source_id = (SELECT source_id FROM source WHERE name = 'asked')"
    )
    seen = []

    async def note(db, source, run, interval):
        seen.append(source.name)

    await worker_context.run_due(note)

    assert seen == ["asked", "critical", "normal", "low"]


async def test_a_scheduler_runs_no_more_jobs_at_once_than_it_may(worker_context):
    for number in range(5):
        await worker_context.watch(f"n{number}")
    await worker_context.follow()
    await worker_context.execute(DUE, MINUTE)
    scheduler = worker_context.scheduler(nothing, most_runs=2)

    assert [await scheduler.start_due(), await scheduler.start_due()] == [2, 0]
    await scheduler.watch_runs()
    assert await scheduler.start_due() == 2


async def test_two_schedulers_run_each_job_once(worker_context, other_worker_context):
    for number in range(10):
        await worker_context.watch(f"n{number}")
    await worker_context.follow()
    await worker_context.execute(DUE, MINUTE)
    seen = []

    async def note(db, source, run, interval):
        seen.append(source.name)

    await asyncio.gather(worker_context.run_due(note), other_worker_context.run_due(note))

    assert sorted(seen) == [f"n{number}" for number in range(10)]


async def test_a_process_that_dies_in_the_middle_leaves_the_job_due(worker_context, pool):
    await due(worker_context)
    async with pool.acquire() as db:
        dying = db.transaction()
        await dying.start()
        await db.execute("UPDATE job SET status = 'running', runs = runs + 1")
        assert await worker_context.run_due() == 0, "another process has it in hand"
        await dying.rollback()

    assert await worker_context.run_due() == 1
    assert (await worker_context.job()).runs == 1
