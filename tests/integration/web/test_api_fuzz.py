"""Schemathesis on the description of the API: no server error, no broken contract."""

import asyncio

import pytest
from tests.support.api_fuzz import fuzz
from tests.support.api_server import fill, server_process

FUZZING, STATEFUL = "fuzzing", "stateful"


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("caller", "phases", "examples"),
    [
        pytest.param("admin", (FUZZING, STATEFUL), 2, id="an administrator"),
        pytest.param("user", (FUZZING,), 1, id="a user"),
        pytest.param(None, (FUZZING,), 1, id="no token"),
    ],
)
async def test_the_api_keeps_its_description(database, tmp_path, caller, phases, examples):
    keys = await fill(database)
    key = getattr(keys, caller) if caller else None
    with server_process(database, tmp_path) as (_, address):
        found = await asyncio.to_thread(fuzz, address, key, phases, examples, 1, tmp_path)

    assert found.exit_code == 0, found.output[-6_000:]
    assert found.cases > 100
    assert (tmp_path / "server.log").read_text() == ""
