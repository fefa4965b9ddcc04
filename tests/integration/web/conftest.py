"""The API on a database of the test's own."""

from collections.abc import AsyncIterator

import pytest
from tests.support.api import Api, api_on, signed_api_on
from tests.support.make import Operator

from outrider.events.listen import follow_events


@pytest.fixture(autouse=True)
def _quick_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests write events themselves and notify nobody: streams find them by polling, without a long wait."""
    monkeypatch.setitem(follow_events.__kwdefaults__, "poll_s", 0.05)


@pytest.fixture
async def api(pool, database: str, tmp_path) -> AsyncIterator[Api]:
    made = api_on(pool, data=tmp_path, allow_private="127.0.0.0/8", delay="0")
    made.context.parts["dsn"] = database
    async with made.client:
        yield made


@pytest.fixture
async def signed_api(pool):
    async with signed_api_on(pool) as made:
        yield made


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    """One worker. Its `run` takes a connection."""
    made = await Operator.enter(database)
    yield made
    await made.connection.close()
