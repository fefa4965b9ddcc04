"""How long a new redirect takes to the last of several processes, from its commit to the answer."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import asyncpg
from aiohttp import ClientSession
from benchmarks.place import scratch
from tests.support.guarded_site import guarded_sites
from tests.support.loopback_api import real_server
from tests.support.sites import SiteOwner

from outrider.db import migrate
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.pool import open_pool

PROCESSES = 8
CHANGES = 30
PAUSE_S = 0.13  # so that changes do not come in step with the interval of remote processes
LOOK_S = 0.002


def seconds_to_all() -> dict[str, list[float]]:
    """For processes with the database, and for those with the API: the time of each change."""
    with scratch() as folder, EmbeddedPostgres(folder / "arrival", {}) as server:
        return asyncio.run(_measure(server.dsn, folder))


def sentence(of: str, times: Sequence[float]) -> str:
    """One line for people."""
    return (
        f"A new redirect reached the last of {PROCESSES} processes that follow {of} in {median(times):.2f} s "
        f"after its commit (median of {len(times)} changes), at worst in {max(times):.2f} s."
    )


async def _measure(dsn: str, folder: Path) -> dict[str, list[float]]:
    db = await asyncpg.connect(dsn)
    await migrate.up(db)
    await db.close()
    pool = await open_pool(dsn, size=6, application_name="bench")
    try:
        async with pool.acquire() as owned:
            owner = await SiteOwner.register(owned)
            found = {"the database": await _arrivals(owner, {"database_url": dsn})}
            async with real_server(pool, dsn, folder / "api") as api:
                found["the API"] = await _arrivals(owner, {"api_url": api.url, "key": owner.key})
    finally:
        pool.terminate()
    return found


async def _arrivals(owner: SiteOwner, options: dict[str, str]) -> list[float]:
    """The processes ask the server of this loop while they start, so a thread waits for them."""
    entering = guarded_sites(PROCESSES, owner.name, **options)
    sites = await asyncio.to_thread(entering.__enter__)
    try:
        async with ClientSession() as visitor:
            times = []
            for number in range(CHANGES):
                await asyncio.sleep(PAUSE_S)
                path = f"/{'remote' if 'key' in options else 'local'}-{number}"
                await owner.create(path, "/a")
                committed = time.monotonic()
                arrived = await asyncio.gather(*(_arrival(visitor, site + path) for site in sites))
                times.append(max(arrived) - committed)
            return times
    finally:
        await asyncio.to_thread(entering.__exit__, None, None, None)


async def _arrival(visitor: ClientSession, url: str) -> float:
    while True:
        async with visitor.get(url, allow_redirects=False) as answer:
            if answer.status == 301:
                return time.monotonic()
        await asyncio.sleep(LOOK_S)
