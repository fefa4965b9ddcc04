"""The commands of docs/guides/api.md, as a reader types them."""

import asyncio
import os
import re
import shutil
from pathlib import Path

import pytest
from tests.support.api_server import fill, server_process

GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "api.md"
TOOLS = ("bash", "curl", "jq")


@pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason=f"needs {', '.join(TOOLS)}")
async def test_every_command_of_the_guide_works(database, tmp_path, pool):
    await fill(database)
    script = "set -eu -o pipefail\n" + "".join(re.findall(r"```sh\n(.*?)```", GUIDE.read_text(), re.S))
    limits = {"rate_limit_admin": 500}
    with server_process(database, tmp_path, **limits) as (_, address):
        process = await asyncio.create_subprocess_exec(
            *("bash", "-c", script),
            env={**os.environ, "OUTRIDER": address, "NAME": "ada", "PASSWORD": "password of ada"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output = (await process.communicate())[0].decode()

    assert process.returncode == 0, output
    assert "there is no parameter 'colour'" in output
    assert "ratelimit-remaining: " in output.lower()
    assert "event: connected" in output
    source = await pool.fetchrow("SELECT priority FROM source WHERE name = 'example'")
    jobs = await pool.fetch("SELECT status FROM jobs WHERE source_name = 'example' AND NOT auto_managed")
    assert source["priority"] == 8
    assert [job["status"] for job in jobs] == ["paused"]
