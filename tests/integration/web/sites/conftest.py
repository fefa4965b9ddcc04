"""An owned site with a few pages, and the API as its callers see it."""

from collections.abc import AsyncIterator

import pytest
from tests.support.api import Api, api_on, signed_api_on
from tests.support.sites import SiteOwner

from outrider.sites.model import LivePath, PathKind


@pytest.fixture
async def api(pool, tmp_path) -> AsyncIterator[Api]:
    made = api_on(pool, data=tmp_path, allow_private="127.0.0.0/8", delay="0")
    async with made.client:
        yield made


@pytest.fixture
async def keyed(pool) -> AsyncIterator[Api]:
    """The API as it runs for real: callers prove who they are."""
    async with signed_api_on(pool) as made:
        yield made


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


@pytest.fixture
async def other(db) -> SiteOwner:
    """Another site, whose rows no call for the shop may show or change."""
    return await SiteOwner.register(db, "other")


@pytest.fixture
async def shop(db) -> SiteOwner:
    """A site with the pages /, /shoes, /shoes/red and /about."""
    made = await SiteOwner.register(db)
    await made.has_pages(
        "/", LivePath("/shoes", PathKind.COLLECTION), LivePath("/shoes/red", parent="/shoes"), "/about"
    )
    return made
