"""Databases that tests back up and replace."""

from collections.abc import AsyncIterator

import pytest
from tests.support.backups import forget_replaced


@pytest.fixture
async def dsn(database: str) -> AsyncIterator[str]:
    """A database of the test's own; those that were replaced go with it."""
    yield database
    await forget_replaced(database)
