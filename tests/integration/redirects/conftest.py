"""An owned site, on a connection of its own."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
from tests.support.sites import SiteOwner


@pytest.fixture
async def db(pool: asyncpg.Pool) -> AsyncIterator[asyncpg.Connection]:
    async with pool.acquire() as connection:
        yield connection


@pytest.fixture
async def shop(db: asyncpg.Connection) -> SiteOwner:
    """A registered site without pages."""
    return await SiteOwner.register(db)
