"""An owned site, on a connection of its own."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest
from tests.support.sites import SiteOwner

from outrider.redirects.follower import stop_all


@pytest.fixture
async def db(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    async with pool.acquire() as connection:
        yield connection


@pytest.fixture
async def shop(db: asyncpg.Connection) -> SiteOwner:
    """A registered site without pages."""
    return await SiteOwner.register(db)


@pytest.fixture(autouse=True)
async def no_thread_is_left() -> AsyncIterator[None]:
    """End the threads of middlewares that the test cannot reach."""
    yield
    await asyncio.to_thread(stop_all)
