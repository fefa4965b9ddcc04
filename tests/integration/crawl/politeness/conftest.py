"""A fetcher for sites on loopback."""

from collections.abc import AsyncIterator

import pytest

from outrider.fetch import Fetcher, FetchOptions
from outrider.fetch.guard import networks_of

FETCHING = FetchOptions(allow_private=networks_of(["127.0.0.0/8"]), timeout_s=5.0)


@pytest.fixture
async def fetcher() -> AsyncIterator[Fetcher]:
    made = Fetcher(FETCHING)
    yield made
    await made.close()
