"""A PostgreSQL of the simulation's own, whose time is virtual, and which is gone afterwards unless kept."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg

from outrider.db import migrate, postmaster
from outrider.db.binaries import written_by
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.home import Home
from outrider.db.queries import Queries
from outrider.errors import InvalidInput

STOP_PATIENCE_S = 15.0

# Nothing that happens here has to survive a power cut, and nothing may happen at a time of its own. Commits
# are synchronous for that reason: whether a row is known to be dead, and so how large an index grows and which
# one a plan prefers, would otherwise depend on when the server got round to writing its log.
_SETTINGS = {
    "autovacuum": "off",
    "fsync": "off",
    "full_page_writes": "off",
    "max_parallel_workers_per_gather": "0",
    "max_logical_replication_workers": "0",
}


@contextmanager
def own_database(data: Path | None) -> Iterator[str]:
    """The DSN of an empty server in this folder, or in one that is removed afterwards."""
    if data is not None and written_by(_home(data).data) is not None:
        raise InvalidInput(f"{data} holds a database already: a simulation needs a folder of its own")
    folder = _temporary() if data is None else data
    try:
        with EmbeddedPostgres(folder, _SETTINGS) as server:
            yield server.dsn
    finally:
        if data is None:
            _throw_away(folder)


async def prepare(db: asyncpg.Connection) -> None:
    """First the clock, because the schema's defaults go by it."""
    sql = Queries.load("outrider.simulate")
    await db.execute(sql.create_now)
    await db.execute(sql.create_clock_timestamp)
    await migrate.ensure_current(db, automatic=True)


def _temporary() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="outrider-simulate-"))
    folder.chmod(0o755)  # root's PostgreSQL runs as somebody else
    return folder


def _throw_away(folder: Path) -> None:
    """The server stops by itself once nobody uses it."""
    give_up_at = time.monotonic() + STOP_PATIENCE_S
    while postmaster.find(_home(folder).data) and time.monotonic() < give_up_at:
        time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)


def _home(folder: Path) -> Home:
    return Home(folder.expanduser().resolve() / "database")
