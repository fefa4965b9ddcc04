"""A worker that fills the frontier, for the tests of use cases."""

from collections.abc import AsyncIterator

import pytest
from tests.support.make import Clerk


@pytest.fixture
async def clerk(database: str) -> AsyncIterator[Clerk]:
    """One worker. Its `run` calls a use case."""
    made = await Clerk.enter(database)
    yield made
    await made.line.close()
