"""Every enabled source has a job, whatever went wrong: the report, the stagger, and what is left alone."""

from datetime import timedelta

from outrider.jobs.model import JobStatus, PausedBy
from outrider.jobs.operate import pause
from outrider.jobs.reconcile import ReconcileCounts, reconcile
from outrider.jobs.schedule import plan_for, stagger
from outrider.jobs.store import JobStore


async def test_the_report_says_what_was_found_and_done(worker_context, pool):
    watched = [await worker_context.watch(name) for name in ("sound", "lost", "paused", "by-hand")]
    await worker_context.watch("off", enabled="no")
    await worker_context.follow()
    by_source = {job.source_id: job for job in await worker_context.jobs()}
    _, lost, paused, by_hand = (by_source[source.source_id] for source in watched)
    await worker_context.run(lambda db: JobStore().remove(db, lost))
    await worker_context.run(lambda db: pause(db, paused.job_id))
    await worker_context.execute("UPDATE job SET paused_by = 'source' WHERE job_id = $1", paused.job_id)
    await worker_context.run(lambda db: pause(db, by_hand.job_id))

    async with pool.acquire() as db:
        report = await reconcile(db)
        again = await reconcile(db)

    assert report == ReconcileCounts(
        sources_seen=5,
        sources_enabled=4,
        created=1,
        already_has_job=1,
        resumed=2,
        skipped_disabled=1,
        errors=(),
    )
    assert again == ReconcileCounts(5, 4, 0, 4, 0, 1, ())
    assert {job.status for job in await worker_context.jobs()} == {JobStatus.SCHEDULED}


async def test_new_jobs_begin_where_their_sources_say(worker_context, pool):
    sources = [await worker_context.watch(f"n{number}", delay="6s", depth="2") for number in range(20)]

    async with pool.acquire() as db:
        await reconcile(db)

    after = {job.source_id: job.next_run_at - job.created_at for job in await worker_context.jobs()}
    expected = {each.source_id: stagger(each.public_id, plan_for(each).every) for each in sources}
    assert after == expected
    assert len(set(after.values())) > 4
    assert max(after.values()) < timedelta(hours=1)


async def test_a_running_job_is_not_disturbed(worker_context, pool):
    await worker_context.watch()
    await worker_context.follow()
    await worker_context.execute("UPDATE job SET status = 'running', started_at = now()")
    before = await worker_context.job()

    async with pool.acquire() as db:
        report = await reconcile(db)

    assert (report.already_has_job, report.errors) == (1, ())
    assert await worker_context.job() == before


async def test_a_running_job_of_a_disabled_source_is_paused(worker_context, pool):
    await worker_context.watch()
    await worker_context.follow()
    await worker_context.disable()

    async with pool.acquire() as db:
        report = await reconcile(db)

    assert (report.skipped_disabled, report.already_has_job) == (1, 0)
    assert (await worker_context.job()).paused_by is PausedBy.SOURCE


async def test_a_source_that_cannot_be_planned_is_reported_and_does_not_affect_others(worker_context, pool):
    await worker_context.watch("odd")
    await worker_context.watch("good")
    await worker_context.execute("""UPDATE source SET policy = '[]' WHERE name = 'odd'""")

    async with pool.acquire() as db:
        report = await reconcile(db)

    assert (report.sources_enabled, report.created) == (2, 1)
    [error] = report.errors
    assert error.startswith("odd: ")


async def test_jobs_that_a_removed_source_left_behind_are_removed(worker_context):
    """Such as those that operators added before removed sources took them along."""
    source = await worker_context.watch()
    await worker_context.watch("post")
    await worker_context.remove()
    await worker_context.follow()
    await worker_context.execute("INSERT INTO job (source_id) VALUES ($1)", source.source_id)

    done = await worker_context.run(reconcile)

    assert done.errors == ()
    assert source.source_id not in {job.source_id for job in await worker_context.jobs()}
    assert len(await worker_context.jobs()) == 1
