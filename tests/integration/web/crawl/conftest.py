"""A small crawl, and a worker that can change it."""

from collections.abc import AsyncIterator

import pytest
from tests.support.crawled import make_crawl
from tests.support.make import Operator


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    """One worker."""
    made = await Operator.enter(database)
    yield made
    await made.connection.close()


@pytest.fixture
async def crawl(operator: Operator) -> Operator:
    """The worker, after it has crawled a little."""
    await make_crawl(operator)
    return operator
