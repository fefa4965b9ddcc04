"""Schemathesis on the description of the API: no server error, no broken contract."""

import asyncio

import pytest
from tests.support.api_fuzz import SCENARIOS, fuzz
from tests.support.api_server import fill, server_process

FUZZING = ("fuzzing",)
LEAST_LINKS = 8  # of the 50 that can be followed


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("caller", "phases", "examples"),
    [
        pytest.param("admin", FUZZING, 2, id="an administrator"),
        pytest.param("user", FUZZING, 1, id="a user"),
        pytest.param(None, FUZZING, 1, id="no token"),
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


@pytest.mark.timeout(400)
async def test_what_is_created_can_be_read_changed_and_deleted(database, tmp_path):
    """Schemathesis follows the links of the description from each POST to the calls on the new object.

    How many scenarios it tries differs from run to run, whatever is asked for: runs followed 14 to 20 of the
    50 links.
    """
    keys = await fill(database)
    with server_process(database, tmp_path) as (_, address):
        found = await asyncio.to_thread(fuzz, address, keys.admin, SCENARIOS, 15, 1, tmp_path)

    assert found.exit_code == 0, found.output[-6_000:]
    assert found.links >= LEAST_LINKS, found.output[-2_000:]
    assert (tmp_path / "server.log").read_text() == ""
