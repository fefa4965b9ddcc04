"""A newsroom of one site and an engine on a fresh database, sharing a clock."""

from collections.abc import AsyncIterator

import pytest
from tests.support.newsroom import Engine, MovableClock, Newsroom

from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.feeds.options import FeedOptions
from outrider.watch.discovery.search import ChannelSearch


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
async def room(clock: MovableClock) -> AsyncIterator[Newsroom]:
    async with Newsroom(clock, sites=3) as opened:
        yield opened


@pytest.fixture
async def engine(database: str, clock: MovableClock) -> AsyncIterator[Engine]:
    async with Engine(database, clock) as opened:
        yield opened


@pytest.fixture
def search(engine: Engine) -> ChannelSearch:
    context = engine.context
    return ChannelSearch(
        context.connection,
        context.frontier,
        FeedOptions(),
        lambda: LeasedFetch(
            context.fetcher, context.connection, context.frontier, context.fetching, context.host_options
        ),
    )
