"""`outrider workers` beside a crawl, with and without Redis."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

from tests.support.asgi import until
from tests.support.command import outrider_here

from outrider.redis.connect import connect


@contextmanager
def crawling(url: str, database: str, **settings: str):
    """A crawl under way with one worker."""
    process = subprocess.Popen(
        [sys.executable, "-m", "outrider", "crawl", url, "--ignore-robots", "--workers", "1", "--quiet"],
        env=os.environ
        | {"OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8", "OUTRIDER_DATABASE_URL": database}
        | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _workers(database: str, *options: str):
    return outrider_here("workers", *options, settings={"OUTRIDER_DATABASE_URL": database})


def _until_it_shows_a_url(database: str):
    """A heartbeat comes every second."""
    give_up_at = time.monotonic() + 60
    while True:
        pool = _workers(database, "--json").json
        if pool["workers"] and pool["workers"][0]["current_urls"]:
            return pool
        assert time.monotonic() < give_up_at, pool


def _worker_in(redis_server) -> dict[str, str]:
    """The settings of a worker that writes its heartbeat to Redis, under a name."""
    return {
        "OUTRIDER_REDIS_WORKERS": "true",
        "OUTRIDER_REDIS_ADDRESS": str(redis_server.options.address),
        "WORKER_ID": "crawler-a",
    }


async def test_a_worker_is_listed_and_in_redis_with_its_name_and_its_current_url(database, redis_server):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with crawling(url, database, **_worker_in(redis_server)):
            pool = await asyncio.to_thread(_until_it_shows_a_url, database)
            shown = (await asyncio.to_thread(_workers, database)).out
            said, active = await _in_redis(redis_server)

    assert (pool["health"], pool["live"], pool["total"]) == ("healthy", 1, 1)
    [worker] = pool["workers"]
    assert (worker["name"], worker["status"], worker["current_urls"]) == ("crawler-a", "working", [url])
    assert "healthy: 1 of 1 worker is alive." in shown
    assert url in shown
    assert set(said) == {"lastHeartbeat", "status", "currentUrl"}
    assert active == {b"crawler-a"}


async def test_a_worker_is_listed_while_redis_is_away(database, redis_server):
    """WRK-09."""
    redis_server.stop()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with crawling(url, database, **_worker_in(redis_server)):
            pool = await asyncio.to_thread(_until_it_shows_a_url, database)

    [worker] = pool["workers"]
    assert (pool["health"], worker["name"], worker["status"]) == ("healthy", "crawler-a", "working")


async def _in_redis(redis_server):
    """The worker as other programs see it."""
    client = connect(redis_server.options)
    try:

        async def is_there() -> bool:
            return await client.get("crawler:worker:crawler-a") is not None

        await until(is_there, "the worker is in Redis")
        found = await client.get("crawler:worker:crawler-a")
        return json.loads(found), await client.smembers("crawler:active_workers")
    finally:
        await client.aclose()


def test_where_nothing_runs_it_says_so(tmp_path):
    said = outrider_here("workers", settings={"OUTRIDER_DATA": str(tmp_path / "data")})

    assert (said.code, said.out) == (
        0,
        "No worker runs: `outrider crawl` and `outrider watch` start workers.\n",
    )
