"""A database that may have been set back to an older state: what was remembered of it is not believed."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
from tests.support.embedded import QUICK, within
from tests.support.make import Operator

from outrider.db import migrate, postmaster
from outrider.db.embedded import EmbeddedPostgres


@asynccontextmanager
async def _clerk(root: Path, **settings: str) -> AsyncIterator[Operator]:
    """Somebody who uses a server of this directory; it has stopped afterwards."""
    with EmbeddedPostgres(root, QUICK | settings) as server:
        connection = await asyncpg.connect(server.dsn)
        await migrate.up(connection)
        await connection.close()
        operator = await Operator.enter(server.dsn)
        yield operator
        await operator.connection.close()
    assert within(30, lambda: postmaster.find(root / "database" / "data") is None)


async def _lineage(operator: Operator, number: int = 1) -> str:
    lineage = await operator.run(lambda db: operator.store.begin_flush(db, number))
    assert lineage is not None
    return lineage


async def test_a_server_that_was_started_again_has_another_lineage(data_dir: Path):
    """Nothing in it can tell whether its files were replaced by older ones in between."""
    async with _clerk(data_dir) as operator:
        before = await _lineage(operator)
    async with _clerk(data_dir) as operator:
        assert await _lineage(operator) != before


async def test_a_server_that_recovered_from_a_crash_has_another_lineage(data_dir: Path):
    """Where commits do not wait for the disk, the last ones are lost with it. A server of yours may do so."""
    async with _clerk(data_dir, restart_after_crash="on") as operator:
        before = await _lineage(operator, 1)
        started_at = await operator.run(lambda db: db.fetchval("SELECT pg_postmaster_start_time()"))

        os.kill(await operator.run(lambda db: db.fetchval("SELECT pg_backend_pid()")), signal.SIGKILL)

        assert await _lineage(operator, 2) != before
        assert await operator.run(lambda db: db.fetchval("SELECT pg_postmaster_start_time()")) == started_at
