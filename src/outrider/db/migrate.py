"""Moves a database from one schema version to another, one numbered file at a time, under one lock."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from outrider.db.migrations import KNOWN, Migration
from outrider.db.queries import Queries
from outrider.errors import InvalidInput, Misconfigured, Unavailable

_SQL = Queries.load("outrider.db")
_LOCK_KEY = 0x6F757472  # "outr": one migrator per database, whatever else uses advisory locks there
_LOCK_POLL_S = 0.1
_LOCK_PATIENCE_S = 300.0


@dataclass(frozen=True, slots=True)
class MigrationStatus:
    """Where a database stands against the migrations this Outrider carries."""

    version: int  # 0: no schema of ours yet
    newest: int
    pending: tuple[Migration, ...]
    rewritten: tuple[Migration, ...] = ()  # applied with another text than we carry

    @property
    def is_current(self) -> bool:
        return self.version == self.newest and not self.rewritten


async def status(connection: asyncpg.Connection, known: Sequence[Migration] = KNOWN) -> MigrationStatus:
    """Compare what was applied with what we carry; writes nothing."""
    if not await connection.fetchval(_SQL.has_migration_table):
        applied = {}
    else:
        applied = {row["version"]: row["checksum"] for row in await connection.fetch(_SQL.applied_migrations)}
    return MigrationStatus(
        version=max(applied, default=0),
        newest=max((migration.version for migration in known), default=0),
        pending=tuple(migration for migration in known if migration.version not in applied),
        rewritten=tuple(
            migration
            for migration in known
            if applied.get(migration.version, migration.checksum) != migration.checksum
        ),
    )


async def up(
    connection: asyncpg.Connection, to: int | None = None, known: Sequence[Migration] = KNOWN
) -> tuple[Migration, ...]:
    """Apply what is pending, up to and including version `to`; returns what was applied."""
    async with _alone(connection):
        await connection.execute(_SQL.create_migration_table)
        found = await status(connection, known)
        _refuse_foreign(found)
        todo = tuple(migration for migration in found.pending if to is None or migration.version <= to)
        for migration in todo:
            await _apply(connection, migration)
        if todo:
            # Generic plans made on a table without statistics keep their sequential scans.
            await connection.execute(_SQL.analyze)
        return todo


async def down(
    connection: asyncpg.Connection, to: int, known: Sequence[Migration] = KNOWN
) -> tuple[Migration, ...]:
    """Take back everything above version `to`, newest first; returns what was taken back."""
    if to < 0:
        raise InvalidInput(f"there is no schema version {to}: 0 is the empty database")
    async with _alone(connection):
        found = await status(connection, known)
        _refuse_foreign(found)
        waiting = {migration.version for migration in found.pending}
        undo = tuple(
            migration
            for migration in sorted(known, key=lambda migration: migration.version, reverse=True)
            if migration.version > to and migration.version not in waiting
        )
        for migration in undo:
            await _take_back(connection, migration)
        return undo


async def ensure_current(
    connection: asyncpg.Connection, *, automatic: bool, known: Sequence[Migration] = KNOWN
) -> MigrationStatus:
    """Refuse a database this Outrider cannot work on; migrate one that is behind only if `automatic`."""
    found = await status(connection, known)
    _refuse_foreign(found)
    if not found.pending:
        return found
    if not automatic:
        stands = f"is at schema {found.version}" if found.version else "has no Outrider schema yet"
        raise Misconfigured(
            f"the database {stands} and this Outrider needs {found.newest}: run `outrider migrate`"
        )
    await up(connection, known=known)
    return await status(connection, known)


def _refuse_foreign(found: MigrationStatus) -> None:
    if found.version > found.newest:
        raise Misconfigured(
            f"the database was written by a newer Outrider (schema {found.version}, "
            f"this one knows {found.newest}): upgrade Outrider"
        )
    if found.rewritten:
        names = ", ".join(migration.label for migration in found.rewritten)
        raise Misconfigured(
            f"the database was built with another text of {names} than this Outrider carries: "
            "use the Outrider that built it, or start with an empty database"
        )


async def _apply(connection: asyncpg.Connection, migration: Migration) -> None:
    async with _scope(connection, migration.up):
        await connection.execute(migration.up)
        await connection.execute(_SQL.record_migration, migration.version, migration.name, migration.checksum)


async def _take_back(connection: asyncpg.Connection, migration: Migration) -> None:
    async with _scope(connection, migration.down):
        await connection.execute(migration.down)
        await connection.execute(_SQL.forget_migration, migration.version)


@asynccontextmanager
async def _scope(connection: asyncpg.Connection, text: str) -> AsyncIterator[None]:
    """A transaction, unless the file's first line says that its statement cannot run in one."""
    if Migration.runs_alone(text):
        yield
    else:
        async with connection.transaction():
            yield


@asynccontextmanager
async def _alone(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """Hold the migration lock, without the time limits meant for everyday statements.

    Both live in the session, so the connection must not lead through a transaction pooler.
    Waiting inside pg_advisory_lock would keep a snapshot open, and CREATE INDEX CONCURRENTLY of the
    lock's holder waits for snapshots: both would stand still. So we ask again and again.
    """
    tries = int(_LOCK_PATIENCE_S / _LOCK_POLL_S)
    for _ in range(tries):
        if await connection.fetchval(_SQL.try_migration_lock, _LOCK_KEY):
            break
        await asyncio.sleep(_LOCK_POLL_S)
    else:
        raise Unavailable(
            f"another process has been migrating this database for {_LOCK_PATIENCE_S:.0f} seconds"
        )
    try:
        await connection.execute(_SQL.lift_time_limits)
        yield
    finally:
        if not connection.is_closed():
            await connection.execute(_SQL.restore_time_limits)
            await connection.execute(_SQL.release_migration_lock, _LOCK_KEY)
