"""A line on a fresh database, a registry that changes sources on it, a client of a fresh Valkey."""

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from tests.support.events import Tally
from tests.support.make import Operator
from tests.support.redis_server import RedisServer

from outrider.db.reconnecting import ReconnectingConnection
from outrider.redis.connect import connect
from outrider.watch.source_service import SourceService


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


@pytest.fixture
def connection(operator: Operator) -> ReconnectingConnection:
    return operator.connection


@pytest.fixture
def source_service(operator: Operator) -> SourceService:
    return SourceService(operator.store)


@pytest.fixture
async def tally(connection: ReconnectingConnection) -> Tally:
    tally = Tally(connection)
    await tally.prepare()
    return tally


@pytest.fixture
async def client(redis_server: RedisServer) -> AsyncIterator[Redis]:
    async with connect(redis_server.options, block_s=5) as opened:
        yield opened
