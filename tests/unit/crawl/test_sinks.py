"""The queue of pages on their way to sinks: bounded in count and bytes, whatever sinks do."""

import asyncio
from contextlib import suppress

import pytest
from tests.support.make import entry

from outrider.crawl.sinks import AT_ONCE, SinkQueue
from outrider.fetch.outcome import Exchange, Fetched


class Shelf:
    """A sink that keeps what it is given, one call at a time, as soon as it may."""

    name = "shelf"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.begun = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.fails = 0

    async def store(self, pages):
        self.begun.set()
        await self.may_go_on.wait()
        if self.fails:
            self.fails -= 1
            raise OSError("the shelf is full")
        self.calls.append([page.url for page in pages])

    @property
    def urls(self):
        return [url for call in self.calls for url in call]


@pytest.fixture
def shelf():
    return Shelf()


def answer(url="http://a.test/", body=b"abc"):
    return Fetched(Exchange(url, 200, {"content-type": "text/html"}, 1), body)


def commit(queue, *urls, body=b"abc"):
    """Collect pages and deliver them, as a batch that is committed does."""
    pages = {}
    for url in urls:
        queue.collect(pages, entry(url), answer(url, body))
    queue.deliver(pages)


async def end(task):
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def urls(count, host="a"):
    return [f"http://{host}.test/{number}" for number in range(count)]


async def drained(queue):
    task = asyncio.create_task(queue.run())
    await queue.drain(60)
    await end(task)


async def test_what_is_delivered_arrives_with_its_bytes_and_headers(shelf):
    queue, pages = SinkQueue([shelf]), {}
    given = answer()
    queue.collect(pages, entry("http://a.test/"), given)
    (page,) = pages.values()

    queue.deliver(pages)
    await drained(queue)

    assert page.answer is given
    assert (page.url, page.source_id) == ("http://a.test/", 1)
    assert shelf.urls == ["http://a.test/"]
    assert queue.counts["stored"] == 1


async def test_what_is_collected_and_not_delivered_does_not_arrive(shelf):
    queue = SinkQueue([shelf])
    queue.collect({}, entry("http://a.test/"), answer())

    await drained(queue)

    assert shelf.urls == []


async def test_a_call_has_a_bounded_number_of_pages(shelf):
    queue, many = SinkQueue([shelf]), urls(AT_ONCE * 2 + 1)
    commit(queue, *many)

    await drained(queue)

    assert [len(call) for call in shelf.calls] == [AT_ONCE, AT_ONCE, 1]
    assert shelf.urls == many


async def test_pages_beyond_the_count_are_dropped_and_counted(shelf):
    queue = SinkQueue([shelf], most_pages=3)
    commit(queue, *urls(5))

    await drained(queue)

    assert shelf.urls == urls(3)
    assert queue.counts == {"dropped": 2, "stored": 3}


async def test_pages_beyond_the_bytes_are_dropped_and_a_small_one_still_fits(shelf):
    queue, pages = SinkQueue([shelf], most_bytes=10), {}
    for url, size in zip(urls(4), (6, 5, 4, 1), strict=True):
        queue.collect(pages, entry(url), answer(url, b"x" * size))
    queue.deliver(pages)

    await drained(queue)

    assert shelf.urls == [urls(4)[0], urls(4)[2]]
    assert queue.counts["dropped"] == 2


async def test_pages_that_wait_for_their_commit_or_for_a_sink_take_room_too(shelf):
    queue = SinkQueue([shelf], most_pages=3)
    shelf.may_go_on.clear()
    task = asyncio.create_task(queue.run())
    commit(queue, "http://being-stored.test/")
    await shelf.begun.wait()
    commit(queue, "http://waits.test/")
    uncommitted = {}
    queue.collect(uncommitted, entry("http://uncommitted.test/"), answer())
    queue.collect(uncommitted, entry("http://too-many.test/"), answer())

    assert [page.url for page in uncommitted.values()] == ["http://uncommitted.test/"]
    assert queue.counts["dropped"] == 1
    assert queue.figures()["sink_pages"] == 3
    await end(task)


async def test_room_is_free_again_after_pages_are_stored(shelf):
    queue = SinkQueue([shelf], most_pages=2, most_bytes=10)
    for turn in "abc":
        commit(queue, *urls(2, turn), body=b"12345")
        await drained(queue)

    assert len(shelf.urls) == 6
    assert queue.figures() == {
        "sink_pages": 0,
        "sink_bytes": 0,
        "sink_stored": 6,
        "sink_dropped": 0,
        "sink_failed": 0,
    }


async def test_a_page_that_is_fetched_twice_in_one_batch_arrives_once_as_it_was_last(shelf):
    queue, pages = SinkQueue([shelf], most_pages=1), {}
    queue.collect(pages, entry("http://a.test/"), answer(body=b"old"))
    queue.collect(pages, entry("http://a.test/"), answer(body=b"newer"))

    assert [page.answer.body for page in pages.values()] == [b"newer"]
    assert queue.figures()["sink_bytes"] == 5


async def test_a_failing_sink_gets_the_next_pages_and_takes_none_from_the_others(shelf):
    broken = Shelf()
    broken.fails = 1
    queue = SinkQueue([broken, shelf])
    commit(queue, *urls(AT_ONCE + 1))

    await drained(queue)

    assert broken.urls == urls(AT_ONCE + 1)[AT_ONCE:]
    assert shelf.urls == urls(AT_ONCE + 1)
    assert queue.counts == {"failed": AT_ONCE, "stored": AT_ONCE + 2}
    assert queue.figures()["sink_pages"] == 0


async def test_a_sink_that_never_ends_has_failed(shelf):
    shelf.may_go_on.clear()
    queue = SinkQueue([shelf], store_s=0.01)
    commit(queue, "http://a.test/")

    await drained(queue)

    assert queue.counts == {"failed": 1}


async def test_the_end_waits_no_longer_than_its_bound_and_counts_what_is_left(shelf):
    shelf.may_go_on.clear()
    queue = SinkQueue([shelf])
    task = asyncio.create_task(queue.run())
    commit(queue, *urls(3))
    await shelf.begun.wait()

    await queue.drain(0.01)
    await end(task)

    assert queue.counts["dropped"] == 3


async def test_the_end_of_an_idle_queue_does_not_wait(shelf):
    await SinkQueue([shelf]).drain(1000)
