"""Adaptive intervals from run to run: what was found at the source decides when the job runs next."""

from datetime import timedelta

import pytest
from redis.asyncio import Redis
from tests.support.job_runs import make_due, settle_waiting
from tests.support.make import draft, keep_documents

from outrider.jobs.adaptive_mirror import AdaptiveMirror
from outrider.jobs.filter import JobFilter
from outrider.jobs.model import Interval, Unit
from outrider.jobs.operate import JobChanges, add, edit
from outrider.jobs.scheduler import Scheduler
from outrider.jobs.slot_times import SLOT, slot_of, start_of
from outrider.jobs.store import JobStore
from outrider.redis.connect import connect
from outrider.services.jobs.jobs import details_of
from outrider.watch.source_runs import SourceRuns

HOUR = timedelta(hours=1)
FRONT = "https://blatt.test/"
FEED = FRONT + "feed.xml"
DEAD = {"status": 404, "reason": "not_found", "retry_in_s": None}


async def begin(worker_context, *, adaptive=True, mirror=None):
    """A job of one hour and its scheduler."""
    source = await worker_context.watch(mode="spider")
    await worker_context.run(lambda db: add(db, source, Interval(1, Unit.HOURS), adaptive=adaptive))
    plain = worker_context.scheduler()
    scheduler = Scheduler(worker_context.operator.connection, plain._runner, mirror=mirror)
    await scheduler.register()
    return scheduler


async def visit(worker_context, scheduler, text="", **outcome):
    """One run that finds this text on the front page; returns the line of the job."""
    await make_due(worker_context)
    assert await scheduler.start_due() == 1
    if text:
        drafts = [draft(FRONT, text, source_id=(await worker_context.source()).source_id)]
        await worker_context.run(lambda db: keep_documents(db, drafts))
    await settle_waiting(worker_context, **outcome)
    assert await scheduler.watch_runs() == 0
    [line], _ = await worker_context.run(lambda db: JobStore().page(db, JobFilter()))
    return line


async def test_an_unchanged_source_is_visited_less_often_and_a_change_ends_that(worker_context):
    scheduler = await begin(worker_context)
    found = []
    for text in ("one", "one", "one", "two"):
        line = await visit(worker_context, scheduler, text)
        found.append((line.adaptive.unchanged_count, line.adaptive.current_interval))

    assert found == [(0, HOUR), (1, 2 * HOUR), (2, 4 * HOUR), (0, HOUR)]


async def test_the_longer_interval_is_visible_and_ends_at_a_slot(worker_context):
    scheduler = await begin(worker_context)
    for _ in range(3):
        line = await visit(worker_context, scheduler, "one")

    shown = details_of(line)
    assert shown.adaptive_reason == "unchanged 2 times: every 4 h instead of 1 h"
    assert (shown.interval_in_force, shown.json_form()["unchanged_count"]) == (4 * HOUR, 2)
    assert 3 * HOUR - SLOT <= line.job.next_run_at - line.job.started_at <= 4 * HOUR
    assert line.job.next_run_at == start_of(slot_of(line.job.next_run_at))
    [entry] = await worker_context.run(JobStore().slot_entries)
    assert (entry.next_run_at, entry.interval) == (line.job.next_run_at, 4 * HOUR)


async def test_a_failed_run_does_not_change_what_is_known(worker_context):
    scheduler = await begin(worker_context)
    await visit(worker_context, scheduler, "one")
    before = await visit(worker_context, scheduler, "one")

    after = await visit(worker_context, scheduler, "", **DEAD)

    assert after.job.failure_count == 1
    assert after.adaptive == before.adaptive


async def test_a_job_that_is_not_adaptive_keeps_its_interval(worker_context):
    scheduler = await begin(worker_context, adaptive=False)
    for _ in range(3):
        line = await visit(worker_context, scheduler, "one")

    assert line.adaptive is None
    assert timedelta() < line.job.next_run_at - line.job.completed_at <= HOUR


async def test_a_job_that_is_told_to_adapt_no_more_returns_to_its_interval(worker_context, capsys):
    scheduler = await begin(worker_context)
    for _ in range(3):
        before = await visit(worker_context, scheduler, "one")
    fixed = JobChanges(adaptive=False)
    await worker_context.run(lambda db: edit(db, before.job.job_id, fixed))
    capsys.readouterr()

    after = await visit(worker_context, scheduler, "one")

    assert timedelta() < after.job.next_run_at - after.job.completed_at <= HOUR
    assert after.adaptive == before.adaptive
    assert "adaptive interval not changed" not in capsys.readouterr().out


async def test_a_calm_source_that_has_no_content_once_is_visited_at_the_fixed_interval(
    worker_context, capsys
):
    scheduler = await begin(worker_context)
    for _ in range(3):
        before = await visit(worker_context, scheduler, "one")
    runner = scheduler._runner

    async def no_hash(db, source):
        return None

    scheduler._runner = type(runner)(runner.start, no_hash, runner.frontier)

    after = await visit(worker_context, scheduler)

    assert timedelta() < after.job.next_run_at - after.job.completed_at <= HOUR
    assert after.adaptive == before.adaptive, "what was known is kept"
    assert "the run has no content hash: the fixed interval is used" in capsys.readouterr().out


async def test_a_run_without_content_uses_the_fixed_interval_and_warns(worker_context, capsys):
    scheduler = await begin(worker_context)

    line = await visit(worker_context, scheduler)

    assert line.adaptive is None
    assert timedelta() < line.job.next_run_at - line.job.completed_at <= HOUR
    assert "the run has no content hash: the fixed interval is used" in capsys.readouterr().out


async def test_the_hash_ignores_what_is_not_text(worker_context):
    """Two versions of a page with the same text have the same hash, whatever else differs."""
    scheduler = await begin(worker_context)
    await visit(worker_context, scheduler, "one")
    runs, source = SourceRuns(worker_context.operator.store), await worker_context.source()
    before = await worker_context.run(lambda db: runs.content_hash(db, source))
    again = [draft(FRONT, "one", source_id=source.source_id, size=9, title="nonce 4711")]
    await worker_context.run(lambda db: keep_documents(db, again))

    assert await worker_context.run(lambda db: runs.content_hash(db, source)) == before


async def test_the_hash_follows_the_changes_of_feeds_and_not_their_polls(worker_context):
    source = await worker_context.watch(mode="feed", feed=FEED)
    runs = SourceRuns(worker_context.operator.store)

    async def after(change):
        await worker_context.execute(f"UPDATE channel SET {change}")
        return await worker_context.run(lambda db: runs.content_hash(db, source))

    first = await after("polled_at = now() - interval '1 hour', changes = 1")
    polled = await after("polled_at = now()")
    changed = await after("changes = 2")

    assert first == polled != changed


@pytest.fixture
async def client(redis_server):
    async with connect(redis_server.options) as found:
        yield found


async def test_other_programs_find_the_interval_in_redis(worker_context, redis_server, client: Redis):
    scheduler = await begin(worker_context, mirror=AdaptiveMirror(redis_server.options))
    await visit(worker_context, scheduler, "one")
    line = await visit(worker_context, scheduler, "one")

    key = f"crawler:adaptive:{line.source_public_id}"
    assert await client.hgetall(key) == {
        b"last_hash": line.adaptive.last_hash.encode(),
        b"last_change_at": line.adaptive.last_change_at.isoformat().encode(),
        b"unchanged_count": b"1",
        b"current_interval": b"7200",
    }
    await scheduler.stop()


async def test_without_redis_the_intervals_go_on_with_a_warning(worker_context, redis_server, client, capsys):
    scheduler = await begin(worker_context, mirror=AdaptiveMirror(redis_server.options))
    await visit(worker_context, scheduler, "one")
    await client.flushall()
    redis_server.stop()

    line = await visit(worker_context, scheduler, "one")

    assert line.adaptive.current_interval == 2 * HOUR
    assert "redis away" in capsys.readouterr().out
    await scheduler.stop()
