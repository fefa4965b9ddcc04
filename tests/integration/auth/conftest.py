"""A server of authentication on PostgreSQL, and one on each store of sessions."""

from collections.abc import AsyncIterator
from typing import cast

import asyncpg
import pytest
from tests.support.auth import AuthServer

from outrider.auth.redis_sessions import RedisSessions


@pytest.fixture
async def db(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    async with pool.acquire() as proxy:
        yield cast(asyncpg.Connection, proxy)


@pytest.fixture
def server() -> AuthServer:
    """Sessions in PostgreSQL."""
    return AuthServer()


@pytest.fixture(params=["postgresql", "redis"])
async def each_server(request: pytest.FixtureRequest) -> AsyncIterator[AuthServer]:
    """Sessions in PostgreSQL, then in Redis."""
    if request.param == "postgresql":
        yield AuthServer()
        return
    redis = request.getfixturevalue("redis_server")
    sessions = RedisSessions(redis.options)
    yield AuthServer(sessions)
    await sessions.close()
