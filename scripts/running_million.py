"""A running server on a database with a million URLs, for scripts. It is filled as for the benches."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
from running_demo import RunningDemo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.place import scratch
from benchmarks.processes import server_process
from benchmarks.read_cost import fill

from outrider.auth.audit import shell_actor
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords
from outrider.db.embedded import EmbeddedPostgres
from outrider.services.users.users import add_user

USER = "lighthouse"


@contextmanager
def running_million() -> Iterator[RunningDemo]:
    """The server on a free port, in a directory that is removed afterwards."""
    password = secrets.token_urlsafe(12)
    with scratch() as folder, EmbeddedPostgres(folder / "reads", {}) as database:
        asyncio.run(_prepare(database.dsn, password))
        with server_process("benchmarks.api_server", database.dsn, str(folder / "server")) as (_, port):
            yield RunningDemo(f"http://127.0.0.1:{port}", USER, password)


async def _prepare(dsn: str, password: str) -> None:
    await fill(dsn)
    db = await asyncpg.connect(dsn)
    try:
        await add_user(db, shell_actor(USER), USER, password, Role.ADMIN, Passwords())
    finally:
        await db.close()
