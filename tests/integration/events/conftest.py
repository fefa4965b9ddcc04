"""A line on a fresh database, a registry that changes sources on it, a client of a fresh Valkey."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.support.events import Tally
from tests.support.make import Clerk
from tests.support.valkey import ValkeyServer

from outrider.db.line import Line
from outrider.valkey.connect import connect
from outrider.watch.registry import Registry


@pytest.fixture
async def clerk(database: str) -> AsyncIterator[Clerk]:
    clerk = await Clerk.enter(database)
    yield clerk
    await clerk.line.close()


@pytest.fixture
def line(clerk: Clerk) -> Line:
    return clerk.line


@pytest.fixture
def registry(clerk: Clerk) -> Registry:
    return Registry(clerk.store)


@pytest.fixture
async def tally(line: Line) -> Tally:
    tally = Tally(line)
    await tally.prepare()
    return tally


@pytest.fixture
async def client(valkey: ValkeyServer) -> AsyncIterator[Redis]:
    async with connect(valkey.options, block_s=5) as opened:
        yield opened
