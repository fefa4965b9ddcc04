"""Sinks get the bytes of pages after their commit, and the crawl does not wait for them."""

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg
import pytest
from tests.support.make import Operator, completion, draft
from tests.support.site import html
from tests.support.worker import Crawl

from outrider.crawl import flush
from outrider.crawl.batch import Batch
from outrider.crawl.flush import Flusher
from outrider.crawl.options import CrawlOptions
from outrider.crawl.seen import SeenUrls
from outrider.crawl.sinks import FetchedPage, SinkQueue
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.store import DocumentStore
from outrider.fetch.outcome import Exchange, Fetched

HOME = "http://ours.test/"


class Archive:
    """A sink that looks, at every page, what the database knows of it."""

    name = "archive"

    def __init__(self, operator: Operator) -> None:
        self._clerk = operator
        self.pages: list[FetchedPage] = []
        self.uncommitted: list[str] = []

    async def store(self, pages: Sequence[FetchedPage]) -> None:
        for page in pages:
            state = await self._clerk.run(
                lambda db, url=page.url: db.fetchval("SELECT status FROM url_frontier WHERE url = $1", url)
            )
            if state != "fetched":
                self.uncommitted.append(page.url)
            self.pages.append(page)


class Late(Archive):
    """A sink that begins when the crawl is about to end."""

    def __init__(self, operator: Operator, pages: int) -> None:
        super().__init__(operator)
        self._last = "SELECT count(*) < $1 FROM url_frontier WHERE status = 'fetched' AND kind = 'page'"
        self._count = pages

    async def store(self, pages: Sequence[FetchedPage]) -> None:
        while await self._clerk.run(lambda db: db.fetchval(self._last, self._count)):
            await self._clerk.run(lambda db: db.execute("SELECT pg_sleep(0.02)"))
        await self._clerk.run(lambda db: db.execute("SELECT pg_sleep(0.3)"))
        await super().store(pages)


class Stuck:
    """A sink that never finishes anything."""

    name = "stuck"

    async def store(self, pages: Sequence[FetchedPage]) -> None:
        await asyncio.Event().wait()


class Broken:
    """A sink that fails each time."""

    name = "broken"

    def __init__(self) -> None:
        self.calls = 0

    async def store(self, pages: Sequence[FetchedPage]) -> None:
        self.calls += 1
        raise OSError("no space left on the device")


async def test_every_page_arrives_once_after_its_commit_with_bytes_and_headers(crawl: Crawl, serve):
    site = serve(pages=12)
    crawl.sinks = [archive := Archive(crawl.operator)]
    await crawl.seed(site.url)

    await crawl.run()

    assert sorted(page.url for page in archive.pages) == sorted(site.urls)
    assert archive.uncommitted == []
    for page in archive.pages:
        assert page.answer.exchange.headers["content-type"].startswith("text/html")
        assert b"<title>" in page.answer.body


async def test_a_worker_that_stops_gives_its_sinks_what_is_left(crawl: Crawl, serve, monkeypatch):
    monkeypatch.setattr(SinkQueue.drain, "__defaults__", (60.0,))
    site = serve(pages=12)
    crawl.sinks = [late := Late(crawl.operator, len(site.urls))]
    await crawl.seed(site.url)

    await crawl.run()

    assert sorted(page.url for page in late.pages) == sorted(site.urls)


async def test_only_pages_that_are_kept_arrive(crawl: Crawl, serve):
    site = serve({"/": html('<a href="/gone">a</a><a href="/b">b</a> home'), "/b": html("words of b")})
    crawl.sinks = [archive := Archive(crawl.operator)]
    await crawl.seed(site.url)

    await crawl.run()

    assert sorted(page.url for page in archive.pages) == [site.url, f"{site.url}b"]


async def test_a_stuck_sink_and_a_broken_one_do_not_keep_the_crawl_from_its_end(
    crawl: Crawl, serve, monkeypatch
):
    monkeypatch.setattr(SinkQueue.drain, "__defaults__", (0.01,))
    site = serve(pages=12)
    crawl.sinks = [Stuck(), broken := Broken()]
    await crawl.seed(site.url)

    await crawl.run()

    assert await crawl.states() == dict.fromkeys(site.urls, "fetched")
    assert broken.calls == 1, "pages go to all sinks together, and one of them is stuck"


class FailingLine(ReconnectingConnection):
    """Its first transactions fail just before their commit."""

    failures = 0
    error: type[Exception] = asyncpg.DeadlockDetectedError

    async def run(self, work: Any, **how: Any) -> Any:
        async def maybe(db: asyncpg.Connection) -> Any:
            result = await work(db)
            if self.failures:
                self.failures -= 1
                raise self.error("told to fail")
            return result

        return await super().run(maybe, **how)


@pytest.fixture
async def connection(database: str):
    connection = FailingLine(database, application_name="flush")
    yield connection
    await connection.close()


async def with_a_page(
    crawl: Crawl, connection: ReconnectingConnection
) -> tuple[Flusher, SinkQueue, list[str]]:
    """A flusher whose batch holds one page for a sink, and what that sink got."""
    arrived: list[str] = []

    class Listing:
        name = "list"

        async def store(self, pages: Sequence[FetchedPage]) -> None:
            arrived.extend(page.url for page in pages)

    sinks = SinkQueue([Listing()])
    flusher = Flusher(
        connection, crawl.operator.store, DocumentStore(), SeenUrls(), CrawlOptions(), sinks=sinks
    )
    await crawl.operator.queue(HOME)
    [lease] = await crawl.operator.claim()
    [entry] = lease.entries
    flusher.batch.complete(completion(entry))
    flusher.batch.drafts[entry.key] = draft(HOME)
    sinks.collect(flusher.batch.fetched, entry, Fetched(Exchange(HOME, 200, {}, 1), b"body"))
    return flusher, sinks, arrived


async def drain(sinks: SinkQueue) -> None:
    running = asyncio.create_task(sinks.run())
    await sinks.drain(60)
    running.cancel()
    await asyncio.wait([running])


async def test_a_commit_that_fails_delivers_nothing_and_its_repetition_delivers_once(crawl, connection):
    flusher, sinks, arrived = await with_a_page(crawl, connection)
    connection.failures = 2

    await flusher.flush()
    await drain(sinks)

    assert connection.failures == 0
    assert arrived == [HOME]


async def test_a_commit_that_fails_for_good_delivers_nothing(crawl, connection):
    flusher, sinks, arrived = await with_a_page(crawl, connection)
    connection.failures, connection.error = 1, asyncpg.RaiseError

    with pytest.raises(asyncpg.RaiseError):
        await flusher.flush()
    await drain(sinks)

    assert arrived == []


async def test_a_crawl_without_sinks_keeps_no_body(crawl: Crawl, serve, monkeypatch):
    batches: list[Batch] = []

    class Remembered(Batch):
        def __init__(self) -> None:
            super().__init__()
            batches.append(self)

    monkeypatch.setattr(flush, "Batch", Remembered)
    site = serve(pages=12)
    await crawl.seed(site.url)

    await crawl.run()

    assert sum(len(batch.drafts) for batch in batches) == len(site.urls)
    assert [batch.fetched for batch in batches if batch.fetched] == []
