"""Workers for the tests of the frontier: as many as asked for, all on one database."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from tests.support.make import Clerk

from outrider.frontier.options import FrontierOptions

Hire = Callable[..., Awaitable[Clerk]]


@pytest.fixture
async def hire(database: str) -> AsyncIterator[Hire]:
    """`await hire()` enrols another worker."""
    hired: list[Clerk] = []

    async def enter(options: FrontierOptions | None = None) -> Clerk:
        hired.append(await Clerk.enter(database, options))
        return hired[-1]

    yield enter
    for clerk in hired:
        await clerk.line.close()


@pytest.fixture
async def clerk(hire: Hire) -> Clerk:
    """One worker."""
    return await hire()
