"""A worker on a fresh database, and a site that it checks links on."""

from collections.abc import AsyncIterator

import pytest
from tests.support.make import Operator
from tests.support.worker import Crawl


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    opened = await Operator.enter(database)
    yield opened
    await opened.connection.close()


@pytest.fixture
def crawl(database: str, operator: Operator) -> Crawl:
    return Crawl(database, operator)
