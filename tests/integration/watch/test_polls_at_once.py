"""Many channels due at the same moment, and several workers: bounded, and nothing twice."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import asyncpg
import pytest
from tests.support.newsroom import Engine, MovableClock, Newsroom, feed
from tests.support.publications import page, rss

from outrider.app import watch_tasks_for
from outrider.crawl.lane import work
from outrider.crawl.visit import Visit
from outrider.feeds.options import FeedOptions
from outrider.fetch.outcome import Fetched, Request
from outrider.frontier.model import Entry, EntryKind
from outrider.periodic_tasks import PeriodicTask
from outrider.watch.channels.model import Channel, ChannelReading
from outrider.watch.discovery.search import ChannelSearch
from outrider.watch.handlers import MOST_POLLS, channel_handlers
from outrider.watch.polling.feed import FeedReader
from outrider.watch.polling.handler import PollHandler


class CountingReader(FeedReader):
    """Knows how many polls are under way, from the request to the last entry."""

    def __init__(self) -> None:
        super().__init__(FeedOptions())
        self.most = 0
        self._under_way = 0

    def request(self, entry: Entry, url: str) -> Request:
        self._under_way += 1
        self.most = max(self.most, self._under_way)
        return super().request(entry, url)

    async def read(
        self, channel: Channel, entry: Entry, fetched: Fetched, visit: Visit, now: datetime
    ) -> ChannelReading:
        reading = await super().read(channel, entry, fetched, visit, now)
        self._under_way -= 1
        return reading


@pytest.fixture
async def room(clock: MovableClock) -> AsyncIterator[Newsroom]:
    async with Newsroom(clock, sites=25) as opened:
        yield opened


@pytest.fixture
async def other_engine(database: str, clock: MovableClock) -> AsyncIterator[Engine]:
    async with Engine(database, clock) as opened:
        yield opened


async def watch_all(engine: Engine, room: Newsroom) -> None:
    for site in range(len(room.addresses)):
        url = room.publish("/feed", rss([("/a", None)]), site)
        await engine.watch(f"news {site}", room.origin(site), feed(url))


async def test_at_most_ten_polls_are_under_way(engine: Engine, room: Newsroom, clock: MovableClock):
    """FED-01."""
    reader = CountingReader()
    at_once = channel_handlers(FeedOptions(), clock)[EntryKind.FEED].at_once
    await watch_all(engine, room)
    await engine.round()  # after which all rules are known, and nothing else is asked than feeds
    engine.context.handlers = {**engine.context.handlers, EntryKind.FEED: PollHandler(reader, at_once, clock)}
    await engine.skip(timedelta(minutes=16))

    await engine.round()

    assert reader.most == MOST_POLLS == 10
    assert len(room.asked("/feed")) == 50


async def test_a_source_is_polled_by_one_worker_at_a_time(
    engine: Engine, other_engine: Engine, room: Newsroom
):
    """FED-23: a host is leased to one of them."""
    await watch_all(engine, room)

    leases = [
        [(each, lease) for lease in await each.run(lambda db, each=each: each.context.frontier.claim(db, 20))]
        for each in (engine, other_engine)
    ]
    await asyncio.gather(*(work(lease, each.context) for each, lease in (*leases[0], *leases[1])))
    for each in (engine, other_engine):
        await each.context.flusher.flush()

    assert all(leases), "both had some"
    assert sorted(each.address for each in room.asked("/feed")) == sorted(room.addresses)
    rows = await engine.rows("SELECT polls, new_items FROM channel")
    assert {tuple(row) for row in rows} == {(1, 1)}


async def test_periodic_tasks_of_two_workers_have_their_effects_once(
    engine: Engine, other_engine: Engine, room: Newsroom
):
    """FED-23: what one searches or learns the other does not do again."""
    for site in range(3):
        room.publish("/", page("Daily", head='<link rel="alternate" type="text/rss+xml" href="/f">'), site)
        room.publish("/f", rss([("/a", None)]), site)
        await engine.watch(f"daily {site}", room.origin(site))

    both = [
        watch_tasks_for(each.settings, each.context, each.context.connection)
        for each in (engine, other_engine)
    ]
    await asyncio.gather(*(run_all(duties) for duties in both))
    await engine.skip(timedelta(seconds=2))
    await asyncio.gather(engine.round(), other_engine.round())
    await asyncio.gather(*(run_all(duties) for duties in both))

    assert len(room.asked("/")) == 3, "each site was searched once"
    rows = await engine.rows("SELECT polls FROM channel WHERE kind = 2")
    assert [row["polls"] for row in rows] == [1, 1, 1]


async def test_a_search_that_another_worker_is_about_to_make_is_left_to_it(
    engine: Engine, room: Newsroom, search: ChannelSearch, pool: asyncpg.Pool
):
    """FED-23: without waiting for the other worker, or both would search the site."""
    room.publish("/", page("Daily"))
    await engine.watch("daily", room.origin())

    async with pool.acquire() as other, other.transaction():
        await other.execute("SELECT FROM source WHERE name = 'daily' FOR UPDATE")
        async with asyncio.timeout(10):
            assert await search.one() is None

    assert room.asked("/") == []
    assert await search.one() is not None


async def run_all(duties: list[PeriodicTask]) -> None:
    for duty in duties:
        await duty.run()
