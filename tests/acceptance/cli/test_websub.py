"""`outrider websub`: a listener that says where it is, answers, and ends when it is told to."""

import asyncio
import json
import os
import signal
import socket
import sys
from contextlib import asynccontextmanager

import aiohttp
import pytest
from tests.support.command import outrider_here_meanwhile

PUBLIC = "https://crawler.example.com/websub"


@asynccontextmanager
async def listening(database, *options):
    settings = {
        "OUTRIDER_DATABASE_URL": database,
        "OUTRIDER_WEBSUB_CALLBACK": f"{PUBLIC}/",
        "OUTRIDER_WEBSUB_LISTEN": "127.0.0.1:0",
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "outrider", "websub", *options),
        env=os.environ | settings,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process, (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_answers_until_it_is_interrupted(database, number):
    async with listening(database, "--json") as (process, line):
        said = json.loads(line)
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://{said['listen']}/websub/1/{'0' * 32}") as answer,
        ):
            status = answer.status
        process.send_signal(number)
        _, err = await asyncio.wait_for(process.communicate(), 30)

    assert (said["event"], said["public"]) == ("listening", PUBLIC)
    assert status == 404, "nobody subscribed"
    assert (process.returncode, err) == (0, b"")


async def test_it_says_where_it_listens_and_under_which_address(database):
    async with listening(database) as (_, line):
        assert line.startswith("Listening on 127.0.0.1:")
        assert f"for hubs that call {PUBLIC} " in line


async def test_a_port_that_is_taken_is_one_sentence(database):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        at = f"127.0.0.1:{taken.getsockname()[1]}"
        said = await outrider_here_meanwhile(
            "websub",
            settings={
                "OUTRIDER_DATABASE_URL": database,
                "OUTRIDER_WEBSUB_CALLBACK": PUBLIC,
                "OUTRIDER_WEBSUB_LISTEN": at,
            },
        )

    assert said.code == 1
    assert f"OUTRIDER_WEBSUB_LISTEN: cannot listen on {at}" in said.err
    assert said.err.count("\n") == 1
