"""The API on a database of the test's own."""

import pytest
from tests.support.api import api_on


@pytest.fixture
async def api(pool):
    made = api_on(pool)
    async with made.client:
        yield made
