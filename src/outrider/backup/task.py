"""A backup as a maintenance task: recorded before it begins, then with its result or its error."""

from collections.abc import Mapping
from typing import Any

import asyncpg

from outrider.backup.files import BackupFolder
from outrider.backup.options import BackupOptions
from outrider.backup.policy import BackupHistory
from outrider.backup.write import WrittenBackup, write_backup
from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.maintenance.carry_out import Work, carry_out_task
from outrider.maintenance.model import MaintenanceTask
from outrider.maintenance.store import MaintenanceStore

PATIENCE_S = 10.0

_SQL = Queries.load("outrider.backup")


async def read_history(db: asyncpg.Connection) -> BackupHistory:
    """The backups of a database, by its own records."""
    [row] = await db.fetch(_SQL.backup_history)
    return BackupHistory(**dict(row))


def result_of(written: WrittenBackup) -> Mapping[str, Any]:
    """What the record of a backup shows."""
    return {
        "name": written.backup.name,
        "bytes": written.manifest.bytes,
        "rows": sum(written.manifest.rows.values()),
        "verified": True,
        "removed": len(written.removed),
    }


def backup_work(dsn: str, folder: BackupFolder, options: BackupOptions) -> Work:
    """The work of the maintenance task."""

    async def work(progress: dict[str, Any]) -> Mapping[str, Any]:
        return result_of(await write_backup(dsn, folder, options, progress))

    return work


async def back_up(connection: ReconnectingConnection, requested_by: str, work: Work) -> None:
    """Record a backup and carry it out; raises Conflict while another one runs, Unavailable if it fails."""
    record = await connection.run(
        lambda db: MaintenanceStore().begin(db, MaintenanceTask.BACKUP, requested_by), patience_s=PATIENCE_S
    )
    if error := await carry_out_task(connection, record, work):
        raise Unavailable(error)
