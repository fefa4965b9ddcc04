"""Changes reach every process of a site, and its processes outlive the database."""

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from aiohttp import ClientSession
from tests.support.asgi import AGENT, until
from tests.support.embedded import QUICK
from tests.support.guarded_site import guarded_sites
from tests.support.loopback_api import real_server
from tests.support.sites import SiteOwner

from outrider.db import migrate, postmaster
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.pool import use_json

PROCESSES = 8


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder that the account of PostgreSQL can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


async def statuses(visitor: ClientSession, sites: list[str], path: str) -> list[int]:
    """What each process answers."""

    async def status(site: str) -> int:
        async with visitor.get(site + path, allow_redirects=False) as answer:
            return answer.status

    return list(await asyncio.gather(*map(status, sites)))


async def test_a_change_reaches_eight_processes(shop: SiteOwner, database: str):
    with guarded_sites(PROCESSES, shop.name, database_url=database) as sites:
        async with ClientSession(headers={"User-Agent": AGENT}) as visitor:
            assert await statuses(visitor, sites, "/new") == [404] * PROCESSES

            async def all_answer(status: int) -> bool:
                return await statuses(visitor, sites, "/new") == [status] * PROCESSES

            await shop.create("/new", "/a")
            await until(lambda: all_answer(301), "the redirect arrives everywhere")
            await shop.edit("/new", "/b", status=302)
            await until(lambda: all_answer(302), "its change arrives everywhere")
            await shop.remove("/new")
            await until(lambda: all_answer(404), "its end arrives everywhere")


async def test_a_change_reaches_processes_on_other_machines(
    shop: SiteOwner, pool: asyncpg.Pool, database: str, tmp_path: Path
):
    async with real_server(pool, database, tmp_path) as api, ClientSession() as visitor:
        # The processes ask the server of this loop while they start, so a thread waits for them.
        entering = guarded_sites(2, shop.name, api_url=api.url, key=shop.key)
        sites = await asyncio.to_thread(entering.__enter__)
        try:

            async def all_redirect() -> bool:
                return await statuses(visitor, sites, "/new") == [301, 301]

            await shop.create("/new", "/a")
            await until(all_redirect, "the redirect arrives everywhere")
        finally:
            await asyncio.to_thread(entering.__exit__, None, None, None)


async def test_a_process_outlives_a_database_that_is_killed(root: Path):
    with EmbeddedPostgres(root, QUICK) as server:
        db = await asyncpg.connect(server.dsn)
        await migrate.up(db)
        await use_json(db)
        owner = await SiteOwner.register(db)
        await owner.create("/old", "/a")
        with guarded_sites(1, owner.name, database_url=server.dsn) as sites:
            async with ClientSession() as visitor:
                assert await statuses(visitor, sites, "/old") == [301]
                running = postmaster.find(root / "database" / "data")
                assert running is not None
                os.kill(running.pid, signal.SIGQUIT)
                await until(db.is_closed, "the database is gone")
                for _ in range(20):
                    assert await statuses(visitor, sites, "/old") == [301]
                    assert await statuses(visitor, sites, "/a") == [200]
