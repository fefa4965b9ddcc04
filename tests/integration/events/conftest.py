"""Connections to a fresh database, a service that changes sources on it, a client of a fresh Redis."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
from redis.asyncio import Redis
from tests.support.event_log import Connect
from tests.support.events import Tally
from tests.support.make import Operator
from tests.support.redis_server import RedisServer

from outrider.db.reconnecting import ReconnectingConnection
from outrider.redis.connect import connect as connect_redis
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
    async with connect_redis(redis_server.options, block_s=5) as opened:
        yield opened


@pytest.fixture
async def connect(database: str) -> AsyncIterator[Connect]:
    """Connections to the database of the test, one more with each call."""
    opened = []

    async def one() -> asyncpg.Connection:
        opened.append(await asyncpg.connect(database))
        return opened[-1]

    yield one
    for connection in opened:
        connection.terminate()


@pytest.fixture
async def db(connect: Connect) -> asyncpg.Connection:
    return await connect()
