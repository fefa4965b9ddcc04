"""Creates, fills, swaps and drops the databases of a restore."""

import asyncio
import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import asyncpg

from outrider.backup.connections import connected, connected_beside, dsn_of
from outrider.backup.files import StoredBackup
from outrider.backup.programs import database_argument, programs_for, run_program
from outrider.backup.write import count_rows
from outrider.db.queries import Queries
from outrider.errors import Misconfigured, Unavailable

LONGEST_NAME = 63  # bytes, of PostgreSQL
SWAP_TRIES = 5
_END_EVERY_S = 0.1
_JOBS = 2  # tables and indexes that are restored side by side

_SQL = Queries.load("outrider.backup")


@dataclass(frozen=True, slots=True)
class ProgramSessions:
    """Sessions of one program in a database."""

    program: str
    sessions: int


def beside_name(database: str, purpose: str) -> str:
    """The name of a database that belongs to another one."""
    room = LONGEST_NAME - len(purpose) - 1
    return f"{database.encode()[:room].decode(errors='ignore')}_{purpose}"


def replaced_name(database: str, now: datetime, taken: Collection[str]) -> str:
    """The name under which a replaced database is kept. A later one sorts after an earlier one."""
    moment = f"before_{now.astimezone(UTC):%Y%m%d_%H%M%S}"
    names = (beside_name(database, each) for each in (moment, *(f"{moment}_{n}" for n in range(2, 10))))
    return next(name for name in names if name not in taken)


async def database_of(dsn: str) -> str:
    """The name of the database of a URL."""
    async with connected(dsn) as db:
        name: str = await db.fetchval(_SQL.database_name)
        return name


async def create_beside(dsn: str, database: str, name: str) -> str:
    """Create an empty database with the properties of another one; returns its URL.

    What an earlier attempt left under this name is dropped.
    """
    async with connected_beside(dsn) as server:
        await server.execute(await server.fetchval(_SQL.drop_statement, name))
        try:
            await server.execute(await server.fetchval(_SQL.create_statement, name, database))
        except asyncpg.InsufficientPrivilegeError as error:
            raise Misconfigured(
                "a restore creates a database, and the user of OUTRIDER_DATABASE_URL may not: grant it with "
                "ALTER ROLE … CREATEDB"
            ) from error
        except asyncpg.PostgresError as error:
            raise Unavailable(f"the database {name} cannot be created: {error}") from error
    return dsn_of(dsn, name)


async def drop(dsn: str, name: str) -> None:
    """Drop a database of this server if it exists."""
    async with connected_beside(dsn) as server:
        await server.execute(await server.fetchval(_SQL.drop_statement, name))


async def fill(dsn: str, backup: StoredBackup) -> None:
    """Restore a dump into the empty database of a URL."""
    async with connected(dsn) as db:
        facts = await db.fetchrow(_SQL.server)
        assert facts is not None
    programs = await asyncio.to_thread(programs_for, facts["major"])
    await run_program(
        [
            programs / "pg_restore",
            "--no-owner",
            "--no-privileges",
            "--exit-on-error",
            "--no-password",
            f"--jobs={_JOBS}",
            f"--dbname={database_argument(facts['database'])}",
            backup.dump,
        ],
        dsn,
    )


async def compare(db: asyncpg.Connection, rows: Mapping[str, int]) -> list[str]:
    """Each table whose rows are not those of the manifest, in words."""
    found = await count_rows(db)
    return [
        f"{table} has {found.get(table, 0):,} rows and the backup had {rows.get(table, 0):,}"
        for table in sorted(found.keys() | rows.keys())
        if found.get(table, 0) != rows.get(table, 0)
    ]


async def sessions_of(dsn: str, database: str, own: Sequence[int] = ()) -> list[ProgramSessions]:
    """The programs that are connected to a database."""
    async with connected_beside(dsn) as server:
        rows = await server.fetch(_SQL.sessions_of, database, list(own))
    return [ProgramSessions(row["program"], row["sessions"]) for row in rows]


async def kept_databases(dsn: str, database: str) -> list[str]:
    """The databases that restores replaced and kept, newest first."""
    async with connected_beside(dsn) as server:
        rows = await server.fetch(_SQL.database_names, beside_name(database, "before_"))
    return [row["datname"] for row in rows]


async def swap(dsn: str, database: str, new: str, kept_as: str, *, end_sessions: bool) -> None:
    """Give `new` the name of `database`, which gets the name `kept_as`, in one transaction.

    A rename fails while other sessions use the database. With `end_sessions` they are ended until it
    succeeds: PostgreSQL holds new sessions back while it waits for the old ones.
    """
    async with connected_beside(dsn) as server, connected_beside(dsn) as other:
        renames = [
            await server.fetchval(_SQL.rename_statement, database, kept_as),
            await server.fetchval(_SQL.rename_statement, new, database),
        ]
        for left in reversed(range(SWAP_TRIES)):
            ending = asyncio.create_task(_end_sessions(other, database)) if end_sessions else None
            try:
                async with server.transaction():
                    for rename in renames:
                        await server.execute(rename)
                return
            except asyncpg.ObjectInUseError as error:
                if not left or not end_sessions:
                    raise Unavailable(
                        f"another program connected to the database {database} meanwhile, so nothing was "
                        "replaced: stop it, or use --force"
                    ) from error
            except asyncpg.InsufficientPrivilegeError as error:
                raise Misconfigured(
                    f"the user of OUTRIDER_DATABASE_URL may not rename the database {database}, so nothing "
                    "was replaced: it must own the database and have CREATEDB"
                ) from error
            finally:
                if ending is not None:
                    ending.cancel()
                    await asyncio.gather(ending, return_exceptions=True)


async def analyze(db: asyncpg.Connection) -> None:
    """Renew the statistics of a database that was just filled."""
    await db.execute(_SQL.analyze, timeout=None)


async def _end_sessions(db: asyncpg.Connection, database: str) -> None:
    while True:
        with contextlib.suppress(asyncpg.PostgresError):
            await db.fetchval(_SQL.end_sessions, database)
        await asyncio.sleep(_END_EVERY_S)
