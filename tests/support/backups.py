"""Databases that may be replaced by a restore, and small backups of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg

from outrider.backup.connections import dsn_of
from outrider.backup.databases import beside_name, database_of, drop, kept_databases
from outrider.backup.files import BackupFolder, StoredBackup
from outrider.backup.options import BackupOptions
from outrider.backup.write import write_backup
from outrider.db.pool import know_types
from outrider.services.operations.restore import RestoredDatabase, look_at_present, restore_backup


@asynccontextmanager
async def connection_to(dsn: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection that is closed before a restore: an open one would be in its way."""
    connection = await asyncpg.connect(dsn)
    await know_types(connection)
    try:
        yield connection
    finally:
        await connection.close()


async def execute(dsn: str, *statements: str) -> None:
    async with connection_to(dsn) as db:
        for statement in statements:
            await db.execute(statement)


async def value(dsn: str, query: str) -> Any:
    async with connection_to(dsn) as db:
        return await db.fetchval(query)


async def backup_of(dsn: str, folder: Path, **options: Any) -> StoredBackup:
    """A backup of a database, written now."""
    written = await write_backup(dsn, BackupFolder(folder), BackupOptions(**options), {})
    return written.backup


async def restore(dsn: str, backup: StoredBackup, **options: Any) -> RestoredDatabase:
    """Replace a database that no other program uses."""
    return await restore_backup(dsn, await look_at_present(dsn), backup, {}, **options)


async def forget_replaced(dsn: str) -> None:
    """Drop what restores of a test left on the server."""
    database = await database_of(dsn)
    for name in await kept_databases(dsn, database):
        await drop(dsn, name)


async def beside(dsn: str, purpose: str) -> str:
    """The URL of a database that belongs to another one."""
    return dsn_of(dsn, beside_name(await database_of(dsn), purpose))
