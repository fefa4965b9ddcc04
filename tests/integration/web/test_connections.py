"""The database connections of a process of the API."""

import asyncio

from tests.support.api import api_on

from outrider.settings import load
from outrider.web.process import open_api_pool

CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1"
)


async def test_many_requests_share_the_connections_that_the_setting_allows(database, pool):
    settings = load({"api_connections": 2}, config=None).settings
    bounded = await open_api_pool(settings, database)
    api = api_on(bounded)
    async with api.client:
        answers = await asyncio.gather(*(api.get("/api/v1/jobs") for _ in range(20)))
        opened = await pool.fetchval(CONNECTIONS, "outrider api")
    bounded.terminate()

    assert {answer.status_code for answer in answers} == {200}
    assert opened == 2
