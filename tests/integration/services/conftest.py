"""A worker that fills the frontier, for the tests of use cases."""

from collections.abc import AsyncIterator

import pytest
from tests.support.make import Operator


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    """One worker. Its `run` calls a use case."""
    made = await Operator.enter(database)
    yield made
    await made.connection.close()
