"""Clients of a server that is killed go on at another one, and have every line once."""

import asyncio
import os
import signal

import aiohttp
import pytest
from tests.support.run_log_lines import logged_runs
from tests.support.stream_server import server_process
from tests.support.streams import Follower

CLIENTS = 100
LINES = 400
AT_ONCE = 20


@pytest.mark.serial
@pytest.mark.timeout(240)
async def test_clients_of_a_killed_server_have_every_line_once(database, tmp_path):
    """Two servers, a hundred clients of a run's log, and one server dies by signal 9 in the middle."""
    async with logged_runs(database) as runs:
        run = await runs.run()
        with (
            server_process(database, tmp_path) as (doomed, one),
            server_process(database, tmp_path) as (_, other),
        ):
            path = f"/api/v1/runs/{run.run_id}/log/stream"
            clients = [Follower() for _ in range(CLIENTS)]
            connector = aiohttp.TCPConnector(limit=0)
            async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout()) as session:
                tasks = [
                    asyncio.create_task(client.follow_always(session, [place + path for place in order]))
                    for client, order in zip(clients, [(one, other), (other, one)] * CLIENTS, strict=False)
                ]
                await _all(clients, lambda client: client.events("connected"))
                for start in range(0, LINES, AT_ONCE):
                    await runs.say(run, *(f"{number}" for number in range(start, start + AT_ONCE)))
                    if start == LINES // 2:
                        await _all(clients[:1], lambda client: len(client.events("log:line")) > LINES // 4)
                        os.kill(doomed.pid, signal.SIGKILL)
                await _all(clients, lambda client: _messages(client)[-1:] == [f"{LINES - 1}"])
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    expected = ["run started", *(f"{number}" for number in range(LINES))]
    assert [client for client in clients if _messages(client) != expected] == []
    assert sum(len(client.events("connected")) > 1 for client in clients) >= CLIENTS // 2
    assert not any(client.events("reset") for client in clients)


async def _all(clients, is_enough):
    await asyncio.gather(*(client.until(is_enough) for client in clients))


def _messages(client):
    return [each.data["message"] for each in client.events("log:line")]
