"""A database that may have been set back to an older state: what was remembered of it is not believed."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
from tests.support.embedded import QUICK, within
from tests.support.make import Clerk

from outrider.db import migrate, postmaster
from outrider.db.embedded import EmbeddedPostgres


@asynccontextmanager
async def _clerk(root: Path, **settings: str) -> AsyncIterator[Clerk]:
    """Somebody who uses a server of this directory; it has stopped afterwards."""
    with EmbeddedPostgres(root, QUICK | settings) as server:
        connection = await asyncpg.connect(server.dsn)
        await migrate.up(connection)
        await connection.close()
        clerk = await Clerk.enter(server.dsn)
        yield clerk
        await clerk.line.close()
    assert within(30, lambda: postmaster.find(root / "database" / "data") is None)


async def _lineage(clerk: Clerk, number: int = 1) -> str:
    lineage = await clerk.run(lambda db: clerk.store.begin_flush(db, number))
    assert lineage is not None
    return lineage


async def test_a_server_that_was_started_again_has_another_lineage(data_dir: Path):
    """Nothing in it can tell whether its files were replaced by older ones in between."""
    async with _clerk(data_dir) as clerk:
        before = await _lineage(clerk)
    async with _clerk(data_dir) as clerk:
        assert await _lineage(clerk) != before


async def test_a_server_that_recovered_from_a_crash_has_another_lineage(data_dir: Path):
    """Where commits do not wait for the disk, the last ones are lost with it. A server of yours may do so."""
    async with _clerk(data_dir, restart_after_crash="on") as clerk:
        before = await _lineage(clerk, 1)
        started_at = await clerk.run(lambda db: db.fetchval("SELECT pg_postmaster_start_time()"))

        os.kill(await clerk.run(lambda db: db.fetchval("SELECT pg_backend_pid()")), signal.SIGKILL)

        assert await _lineage(clerk, 2) != before
        assert await clerk.run(lambda db: db.fetchval("SELECT pg_postmaster_start_time()")) == started_at
