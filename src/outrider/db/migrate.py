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
    """The schema version of a database, compared with the migrations of this Outrider."""

    version: int  # 0: no schema yet
    newest: int
    pending: tuple[Migration, ...]
    rewritten: tuple[Migration, ...] = ()  # applied with another text than this Outrider has

    @property
    def is_current(self) -> bool:
        return self.version == self.newest and not self.rewritten


async def status(connection: asyncpg.Connection, known: Sequence[Migration] = KNOWN) -> MigrationStatus:
    """Compare the applied migrations with the known ones; writes nothing."""
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
    """Apply pending migrations up to and including version `to`; returns those that were applied."""
    async with _locked(connection):
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
    """Revert the migrations above version `to`, newest first; returns those that were reverted."""
    if to < 0:
        raise InvalidInput(f"there is no schema version {to}: 0 is the empty database")
    async with _locked(connection):
        found = await status(connection, known)
        _refuse_foreign(found)
        waiting = {migration.version for migration in found.pending}
        undo = tuple(
            migration
            for migration in sorted(known, key=lambda migration: migration.version, reverse=True)
            if migration.version > to and migration.version not in waiting
        )
        for migration in undo:
            await _revert(connection, migration)
        return undo


async def ensure_current(
    connection: asyncpg.Connection, *, automatic: bool, known: Sequence[Migration] = KNOWN
) -> MigrationStatus:
    """Refuse a database that this Outrider cannot use; migrate an older one only if `automatic`."""
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


async def _revert(connection: asyncpg.Connection, migration: Migration) -> None:
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
async def _locked(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """Hold the migration lock, with the timeouts of everyday statements lifted.

    The lock and the timeouts belong to the session, so the connection must not use a transaction pooler.
    The lock is polled: waiting in pg_advisory_lock would keep a snapshot open, CREATE INDEX CONCURRENTLY of
    the lock's holder waits for snapshots, and both would wait for ever.
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
