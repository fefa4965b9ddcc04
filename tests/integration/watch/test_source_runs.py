"""Runs of jobs on real sites: what belongs to a run, its counts, and sources that fetch without one."""

import asyncio

from tests.support.newsroom import Answer, Engine, Newsroom, feed
from tests.support.publications import page, rss
from tests.support.spider import OTHER_STORY, STORY, article, front, watch

from outrider.crawl.lane import work
from outrider.events.outbox import handle_waiting
from outrider.jobs.filter import JobFilter
from outrider.jobs.follow import Follower
from outrider.jobs.runner import JobRunner
from outrider.jobs.scheduler import Scheduler
from outrider.jobs.store import JobStore
from outrider.runs.model import Run, RunStatus
from outrider.runs.store import RunStore
from outrider.watch.source_runs import SourceRuns

DUE = "UPDATE job SET next_run_at = now(), slot_at = now()"


class Jobs:
    """A scheduler beside the engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        frontier = engine.context.frontier
        runs = SourceRuns(frontier)
        self.scheduler = Scheduler(
            engine.context.connection, JobRunner(runs.start, runs.content_hash, frontier)
        )

    async def start(self) -> int:
        await handle_waiting(self.engine.context.connection, Follower().handle)
        await self.engine.run(lambda db: db.execute(DUE))
        return await self.scheduler.start_due()

    async def last(self) -> Run:
        [row] = await self.engine.rows("SELECT max(run_id) AS run_id FROM run")
        return await self.engine.run(lambda db: RunStore().by_id(db, row["run_id"]))

    async def run(self) -> Run:
        """A run from its start to its end."""
        assert await self.start() == 1
        return await self.finish()

    async def unchanged_count(self) -> int:
        """How many of the last runs found the source unchanged."""
        [line], _ = await self.engine.run(lambda db: JobStore().page(db, JobFilter()))
        assert line.adaptive is not None
        return line.adaptive.unchanged_count

    async def finish(self) -> Run:
        """Work until the run has ended."""
        async with asyncio.timeout(30):
            while (run := await self.last()).is_open:
                await self.engine.round()
                await self.scheduler.watch_runs()
        return run


async def test_the_links_of_a_front_page_belong_to_the_run(engine: Engine, room: Newsroom):
    room.publish("/", front([STORY, OTHER_STORY]))
    room.publish(STORY, article("bridge"))
    room.publish(OTHER_STORY, article("short"))
    await watch(engine, room.origin() + "/")

    run = await Jobs(engine).run()

    assert (run.status, run.items_crawled) == (RunStatus.COMPLETED, 3)
    assert run.metadata["crawl_metrics"]["entries"]["added"] == 3


async def test_a_second_run_fetches_only_what_is_new(engine: Engine, room: Newsroom):
    room.publish("/", front([STORY]))
    room.publish(STORY, article("bridge"))
    room.publish(OTHER_STORY, article("short"))
    await watch(engine, room.origin() + "/")
    jobs = Jobs(engine)
    await jobs.run()

    room.publish("/", front([STORY, OTHER_STORY]))
    run = await jobs.run()

    assert (run.execution_number, run.items_crawled) == (2, 2)


async def test_a_nonce_in_the_markup_of_the_front_page_is_no_change_and_new_text_is(
    engine: Engine, room: Newsroom
):
    """ADP-08."""
    await watch(engine, room.origin() + "/")
    jobs, found = Jobs(engine), []
    for title, nonce in (("one", "a"), ("one", "b"), ("two", "b")):
        head = f'<meta name="csrf-token" content="{nonce}"><script nonce="{nonce}">at("{nonce}")</script>'
        room.publish("/", page(title, head=head))
        await jobs.run()
        found.append(await jobs.unchanged_count())

    assert found == [0, 1, 0]


async def test_a_front_page_that_is_under_way_is_visited_again_for_the_run(engine: Engine, room: Newsroom):
    """A worker claimed it before the run began: its links must not be lost for the run."""
    room.publish("/", front([STORY]))
    room.publish(STORY, article("bridge"))
    await watch(engine, room.origin() + "/")
    context = engine.context
    leases = await engine.run(lambda db: context.frontier.claim(db, 16, ()))
    jobs = Jobs(engine)
    assert await jobs.start() == 1

    for lease in leases:
        await work(lease, context)
    await context.flusher.flush()

    run = await jobs.finish()
    assert run.status is RunStatus.COMPLETED
    assert run.metadata["crawl_metrics"]["requests_total"] >= 1


async def test_entries_of_a_feed_belong_to_the_run(engine: Engine, room: Newsroom):
    url = room.publish("/feed", rss([("/a", None), ("/b", None)]))
    for name in "ab":
        room.publish(f"/{name}", page(name))
    await engine.watch("news", room.origin(), feed(url))

    run = await Jobs(engine).run()

    assert (run.status, run.items_crawled) == (RunStatus.COMPLETED, 2)
    assert run.metadata["crawl_metrics"]["entries"] == {"added": 3, "settled": 3, "dead": 0, "withdrawn": 0}


async def test_a_feed_that_does_not_answer_fails_the_run_and_the_job_is_tried_again(
    engine: Engine, room: Newsroom
):
    url = room.publish("/feed", Answer(status=500))
    await engine.watch("news", room.origin(), feed(url))

    run = await Jobs(engine).run()

    assert run.status is RunStatus.FAILED
    [job] = await engine.rows("SELECT status::text, current_retry_count, lock_token FROM job")
    assert tuple(job) == ("scheduled", 1, None)
