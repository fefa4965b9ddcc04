"""The PostgreSQL server of a simulation: its time is virtual, and it is removed afterwards unless kept."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import asyncpg

from outrider.db import migrate
from outrider.db.binaries import written_by
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.home import Home
from outrider.db.queries import Queries
from outrider.db.temporary import temporary_folder
from outrider.errors import InvalidInput

# The data need not survive a power cut, and no background work may depend on real time. So commits are
# synchronous: otherwise the time of the log writer would decide when a row is known to be dead, how large an
# index grows and which index a plan prefers.
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
    place = temporary_folder("simulate") if data is None else nullcontext(data)
    with place as folder, EmbeddedPostgres(folder, _SETTINGS) as server:
        yield server.dsn


async def prepare(db: asyncpg.Connection) -> None:
    """Create the virtual clock, then the schema, whose defaults use the clock."""
    sql = Queries.load("outrider.simulate")
    await db.execute(sql.create_now)
    await db.execute(sql.create_clock_timestamp)
    await migrate.ensure_current(db, automatic=True)


def _home(folder: Path) -> Home:
    return Home(folder.expanduser().resolve() / "database")
