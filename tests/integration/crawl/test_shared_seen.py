"""Workers that tell each other through Valkey what the database has: fewer look-ups, never a lost link."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs
from tests.support.database import TestServer
from tests.support.make import Operator, submission
from tests.support.redis_server import RedisServer
from tests.support.worker import Crawl, paths

from outrider.crawl import rebuild_visited, shared_seen
from outrider.crawl.flush import Flusher
from outrider.crawl.options import CrawlOptions
from outrider.crawl.seen import SeenUrls
from outrider.crawl.shared_seen import SharedSeen
from outrider.documents.store import DocumentStore
from outrider.redis.connect import connect

URL = "http://a.test/1"
DAY_S = 86_400.0


class FlushingWorker:
    """A worker that finds links and writes them, one batch after the other."""

    def __init__(self, operator: Operator, shared: SharedSeen) -> None:
        self.operator = operator
        self.shared = shared
        self.seen = SeenUrls()
        self._flusher = Flusher(
            operator.connection,
            operator.store,
            DocumentStore(),
            self.seen,
            CrawlOptions(),
            shared=shared,
        )
        self._batches = 0

    async def find(self, *urls: str, priority: int = 5, source_id: int = 1) -> None:
        """One batch with these links."""
        self._flusher.batch.submit(
            submission(url, priority, source_id=source_id, seen=(f"{source_id} {url}", priority))
            for url in urls
        )
        await self._flusher.flush()

    async def go_on(self) -> None:
        """The next batch takes along what the one before confirmed, and knows the lineage."""
        self._batches += 1
        await self.find(f"http://worker{self.operator.store.worker_id}.test/{self._batches}")

    @property
    def known(self) -> object:
        """Links that this worker need not look up, thanks to others."""
        return self.shared.figures()["shared_known"]


StartWorker = Callable[..., Awaitable[FlushingWorker]]


@pytest.fixture(autouse=True)
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single link is worth asking, and a busy machine no reason to take Valkey for slow."""
    monkeypatch.setattr(shared_seen, "WORTH_ASKING", 1)
    monkeypatch.setattr(shared_seen, "PATIENCE_S", 30.0)


@pytest.fixture
async def start_worker(database: str, redis_server: RedisServer, _eager: None) -> AsyncIterator[StartWorker]:
    """`await start_worker()` makes another worker that has written one batch already."""
    workers: list[FlushingWorker] = []

    async def enter(dsn: str = database, **limits: int) -> FlushingWorker:
        hand = FlushingWorker(await Operator.enter(dsn), SharedSeen(redis_server.options, DAY_S, **limits))
        workers.append(hand)
        await hand.go_on()
        return hand

    yield enter
    for hand in workers:
        await hand.shared.close()
        await hand.operator.connection.close()


@pytest.fixture
async def store(redis_server: RedisServer) -> AsyncIterator[Redis]:
    """What is in Valkey, for those who want to look."""
    client = connect(redis_server.options)
    yield client
    await client.aclose()


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Valkey is tried again with the next batch; how long it is left alone is tested elsewhere."""
    monkeypatch.setattr(shared_seen, "FIRST_PAUSE_S", 1e-9)
    monkeypatch.setattr(shared_seen, "LONGEST_PAUSE_S", 1e-9)


async def test_what_one_worker_confirmed_another_need_not_look_up(start_worker: StartWorker):
    one, other = await start_worker(), await start_worker()
    await one.find(URL)
    await one.go_on()

    await other.find(URL, "http://a.test/new")

    assert other.known == 1
    assert await other.operator.state("http://a.test/new") == "pending"
    assert other.seen.unknown([f"1 {URL}"], 5) == []


async def test_what_is_not_committed_yet_is_not_known(start_worker: StartWorker):
    one, other = await start_worker(), await start_worker()
    await one.find(URL)

    await other.find(URL)

    assert other.known == 0


async def test_what_the_last_batch_confirmed_is_filed_at_the_end(start_worker: StartWorker):
    one, other = await start_worker(), await start_worker()
    await one.find(URL)
    await one.shared.close()

    await other.find(URL)

    assert other.known == 1


async def test_a_few_links_are_not_worth_a_round_trip_and_are_filed_with_more(
    start_worker: StartWorker, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shared_seen, "WORTH_ASKING", 10)
    one, other = await start_worker(), await start_worker()
    some = [f"http://a.test/{n}" for n in range(4)]
    with redis_server.frozen():
        await one.find(*some)
        await one.go_on()
    await one.find(*(f"http://b.test/{n}" for n in range(10)))

    await other.find(*some, *(f"http://c.test/{n}" for n in range(6)))

    assert one.shared.figures()["shared_failures"] == 0
    assert other.known == 4


@pytest.mark.parametrize(("priority", "known", "now"), [(5, 1, 5), (3, 1, 5), (8, 0, 8)])
async def test_a_link_that_matters_more_gets_through(start_worker: StartWorker, priority, known, now):
    one, other = await start_worker(), await start_worker()
    await one.find(URL, priority=5)
    await one.go_on()

    await other.find(URL, priority=priority)

    assert other.known == known
    assert (await other.operator.row(URL))["prio"] == now


async def test_who_else_asks_for_a_url_is_written_down(start_worker: StartWorker):
    one, other = await start_worker(), await start_worker()
    second = await one.operator.new_source("second")
    await one.find(URL)
    await one.go_on()

    await other.find(URL, source_id=second)

    assert other.known == 0
    asked = "SELECT max(source_id) FROM url_source"
    assert await other.operator.run(lambda db: db.fetchval(asked)) == second


async def test_what_another_database_has_says_nothing_about_ours(
    start_worker: StartWorker, postgres: TestServer
):
    one = await start_worker()
    await one.find(URL)
    await one.go_on()

    async with postgres.database() as dsn:
        stranger = await start_worker(dsn)
        await stranger.find(URL)

        assert stranger.known == 0
        assert await stranger.operator.state(URL) == "pending"
        await stranger.operator.connection.close()


async def test_what_was_cleared_may_come_again(start_worker: StartWorker):
    """Also through the worker that has confirmed it."""
    one, other = await start_worker(), await start_worker()
    await one.find(URL)
    await one.go_on()

    await one.operator.run(lambda db: one.operator.store.clear_pending(db))
    await one.go_on()
    await other.find(URL)

    assert one.seen.unknown([f"1 {URL}"], 5) == [f"1 {URL}"]
    assert await other.operator.state(URL) == "pending"


async def test_a_row_that_goes_between_question_and_commit_is_queued_again(start_worker: StartWorker):
    one, other = await start_worker(), await start_worker()
    await one.find(URL)
    await one.go_on()
    link_filter = await other.shared.filter_for([submission(URL, seen=(f"1 {URL}", 5))])
    assert other.known == 1

    await one.operator.run(lambda db: one.operator.store.clear_pending(db))
    lineage = await other.operator.run(lambda db: other.operator.store.begin_flush(db, 2))
    assert lineage is not None

    assert [link.url for link in link_filter.links_for(lineage)] == [URL]


async def test_what_was_filed_before_rows_went_is_thrown_away(start_worker: StartWorker, store: Redis):
    one = await start_worker()
    await one.find(URL)
    await one.go_on()
    before = set(await store.keys())

    await one.operator.run(lambda db: one.operator.store.clear_pending(db))
    await one.go_on()
    await one.go_on()

    assert before
    assert before.isdisjoint(await store.keys())


async def test_a_set_that_redis_lost_is_filled_again_from_the_database(
    start_worker: StartWorker, store: Redis, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(rebuild_visited, "PAGE", 10)
    first, told = await start_worker(), list[int]()
    urls = [f"http://a.test/{number}" for number in range(25)]
    await first.find(*urls)
    await store.flushall()
    rebuilt = await rebuild_visited.rebuild_visited(
        first.operator.connection, first.operator.store, first.shared, told.append
    )
    second = await start_worker()

    await second.find(*urls)

    assert rebuilt == told[-1] == 26  # and the worker's own first page
    assert told == [10, 20, 26]
    assert second.known == 25


async def test_nothing_is_kept_without_an_end(start_worker: StartWorker, store: Redis):
    one = await start_worker()
    await one.find(URL)
    await one.go_on()

    [key] = await store.keys()
    assert key.startswith(b"crawler:visited_urls:")
    assert 0 < await store.ttl(key) <= DAY_S


async def test_the_young_half_grows_old_when_half_the_time_is_over(start_worker: StartWorker, store: Redis):
    one, other = await start_worker(), await start_worker()
    await one.find(URL)
    await one.go_on()
    [young] = await store.keys()
    await store.expire(young, int(DAY_S / 2) - 1)

    await one.go_on()
    await one.go_on()
    await other.find(URL)

    assert sorted([await store.ttl(key) > DAY_S / 2 for key in await store.keys()]) == [False, True]
    assert other.known == 1


async def test_it_is_bounded_and_forgets_the_oldest_first(start_worker: StartWorker, store: Redis):
    one, other = await start_worker(half=20), await start_worker(half=20)
    for n in range(30):
        await one.find(*(f"http://a.test/{n}/{m}" for m in range(5)))
    await one.go_on()

    kept = [await store.hlen(key) for key in await store.keys()]
    await other.find("http://a.test/0/0", "http://a.test/29/4")

    assert sum(kept) <= 2 * (20 + 5)
    assert other.known == 1


async def test_a_page_with_very_many_links_is_answered_as_well(start_worker: StartWorker):
    many = [f"http://a.test/{n}" for n in range(3_500)]
    one, other = await start_worker(), await start_worker()
    await one.find(*many)
    await one.go_on()

    await other.find(*many)

    assert other.known == 3_500


@pytest.mark.usefixtures("_at_once")
async def test_without_valkey_every_worker_remembers_for_itself(
    start_worker: StartWorker, redis_server: RedisServer
):
    one, other = await start_worker(), await start_worker()
    await one.find(URL)
    await one.go_on()
    redis_server.stop()

    with capture_logs() as said:
        for n in range(3):
            await other.find(URL, f"http://a.test/{n}")
            assert await other.operator.state(f"http://a.test/{n}") == "pending"

    assert [line["log_level"] for line in said if line["log_level"] != "debug"] == ["warning"]
    figures = other.shared.figures()
    assert (figures["shared_away"], figures["shared_failures"]) == (True, 3)

    redis_server.start()
    with capture_logs() as said:
        await one.find("http://a.test/new")
        await one.go_on()
        await other.find("http://a.test/new")

    assert [line["event"] for line in said].count("visited URLs are shared again") == 1
    assert other.shared.figures()["shared_away"] is False
    assert other.known == 1


@pytest.mark.usefixtures("_at_once")
async def test_a_late_answer_is_ignored(
    start_worker: StartWorker, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
):
    """Valkey stands still, and answers when somebody else is asking."""
    monkeypatch.setattr(shared_seen, "PATIENCE_S", 0.05)
    one, other = await start_worker(), await start_worker()
    await one.find(URL)
    await one.go_on()

    with redis_server.frozen():
        await other.find(URL)
    await other.find("http://a.test/new")

    assert await other.operator.state("http://a.test/new") == "pending"
    assert other.known == 0


async def test_valkey_that_is_away_is_left_alone_for_a_while(
    start_worker: StartWorker, redis_server: RedisServer
):
    one = await start_worker()
    redis_server.stop()
    await one.go_on()

    redis_server.start()
    await one.go_on()

    assert one.shared.figures()["shared_failures"] == 1
    assert one.shared.figures()["shared_away"] is True


async def test_two_workers_whose_redis_is_killed_reach_every_page_once(
    crawl: Crawl, serve, redis_server: RedisServer
):
    site = serve(pages=50, hosts=4)
    crawl.set("crawl", share_visited=True)
    crawl.settings = replace(crawl.settings, redis=redis_server.options)
    await crawl.seed(*(f"{origin}/" for origin in site.origins), max_depth=-1)
    crawling = asyncio.create_task(crawl.run(workers=2))
    await asyncio.to_thread(site.wait_for, 60)

    redis_server.stop()
    await crawling

    assert len(paths(site)) == len(set(site.urls)) == 200
