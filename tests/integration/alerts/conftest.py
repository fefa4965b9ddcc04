"""A database with nothing in it, and what looks for alerts on it."""

from collections.abc import AsyncIterator

import pytest
from tests.support.alerts import AlertWatch
from tests.support.make import Operator


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    made = await Operator.enter(database)
    yield made
    await made.connection.close()


@pytest.fixture
def alerts(operator: Operator) -> AlertWatch:
    return AlertWatch(operator.connection)
