"""Workers for the tests of the frontier: as many as asked for, all on one database."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from tests.support.make import Operator

from outrider.frontier.options import FrontierOptions

StartWorker = Callable[..., Awaitable[Operator]]


@pytest.fixture
async def start_worker(database: str) -> AsyncIterator[StartWorker]:
    """`await start_worker()` registers another worker."""
    workers: list[Operator] = []

    async def enter(options: FrontierOptions | None = None) -> Operator:
        workers.append(await Operator.enter(database, options))
        return workers[-1]

    yield enter
    for operator in workers:
        await operator.connection.close()


@pytest.fixture
async def operator(start_worker: StartWorker) -> Operator:
    """One worker."""
    return await start_worker()
