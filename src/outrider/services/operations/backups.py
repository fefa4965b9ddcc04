"""Use cases of backups: write one, list them, verify one, and test that one can be restored."""

import asyncio
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg

from outrider.backup.connections import connected
from outrider.backup.databases import analyze, beside_name, compare, create_beside, database_of, drop, fill
from outrider.backup.files import BackupFolder, StoredBackup, backup_of_file
from outrider.backup.task import result_of
from outrider.backup.verify import problem_of
from outrider.backup.write import count_rows, count_urls, write_backup
from outrider.db import migrate
from outrider.db.migrations import KNOWN
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict, InvalidInput, NotFound, Unavailable
from outrider.maintenance.carry_out import carry_out_task
from outrider.maintenance.model import MaintenanceTask
from outrider.maintenance.store import MaintenanceStore
from outrider.services.as_json import NOT_IN_JSON
from outrider.services.crawl.stats import read_stats
from outrider.services.urls.lists import UrlFilter, list_urls
from outrider.settings import Settings
from outrider.wording import size

MOST_DIFFERENCES = 3  # that a sentence names


@dataclass(frozen=True, slots=True)
class BackupLine:
    """One backup, as people and programs read it."""

    name: str
    file: Path
    created_at: datetime
    bytes: int
    urls: int
    pages: int
    rows: int
    schema: int
    outrider: str
    verified_at: datetime | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class BackupList:
    """The backups of a folder, newest first."""

    folder: Path
    items: Sequence[BackupLine]


@dataclass(frozen=True, slots=True)
class FinishedBackup:
    """A backup that was just written and verified."""

    backup: BackupLine
    removed: Sequence[str]  # backups that were too old
    took_s: float


@dataclass(frozen=True, slots=True)
class VerifiedBackup:
    """The result of a verification."""

    name: str
    file: Path
    problem: str | None
    took_s: float


@dataclass(frozen=True, slots=True)
class RecoveryTest:
    """A restore into a scratch database, which is dropped afterwards."""

    name: str
    urls: int
    pages: int
    rows: int
    tables: int
    migrations: int  # that this Outrider had to apply
    took_s: float
    stored: StoredBackup = field(metadata=NOT_IN_JSON)


def folder_of(settings: Settings) -> BackupFolder:
    """The folder of the backups."""
    return BackupFolder(settings.backup_folder)


def find_backup(settings: Settings, named: str | None) -> StoredBackup:
    """A backup by its name or its file; without either, the newest one. Raises NotFound."""
    if named is not None and ("/" in named or Path(named).exists()):
        return backup_of_file(Path(named))
    return folder_of(settings).find(named)


def check_schema(backup: StoredBackup) -> None:
    """Refuse a backup of a newer Outrider."""
    newest = max(migration.version for migration in KNOWN)
    if backup.manifest is not None and backup.manifest.schema > newest:
        raise InvalidInput(
            f"{backup.name} was written by Outrider {backup.manifest.outrider} with schema "
            f"{backup.manifest.schema}, and this Outrider knows {newest}: upgrade Outrider first"
        )


def check_disk(backup: StoredBackup, settings: Settings) -> None:
    """Refuse to fill the disk of an embedded database; the disk of a server is not known here."""
    if settings.database.url is not None or backup.manifest is None:
        return
    folder, needed = settings.database.data_dir.expanduser().absolute(), backup.manifest.database_bytes
    place = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(place).free
    if free < needed:
        raise Unavailable(
            f"the restored database needs about {size(needed)} in {place}, where {size(free)} are free: "
            "free some space first"
        )


def list_backups(settings: Settings) -> BackupList:
    """The backups of the folder of the settings."""
    folder = folder_of(settings)
    return BackupList(folder.path, [line_of(each) for each in folder.backups()])


def line_of(backup: StoredBackup) -> BackupLine:
    """A backup that has a manifest."""
    manifest = backup.manifest
    assert manifest is not None
    return BackupLine(
        backup.name,
        backup.dump,
        manifest.created_at,
        manifest.bytes,
        manifest.urls,
        manifest.pages,
        sum(manifest.rows.values()),
        manifest.schema,
        manifest.outrider,
        manifest.verified_at,
        manifest.problem,
    )


async def write_backup_now(
    db: asyncpg.Connection, dsn: str, settings: Settings, requested_by: str, progress: dict[str, Any]
) -> FinishedBackup:
    """Write and verify a backup, with a record of maintenance; raises Conflict while one is written."""
    began, store = time.monotonic(), MaintenanceStore()
    if not (await migrate.status(db)).version:
        raise NotFound("there is nothing to back up yet: the database has no tables of Outrider")
    async with db.transaction():
        record = await store.begin(db, MaintenanceTask.BACKUP, requested_by)
    finished: list[FinishedBackup] = []

    async def work(recorded: dict[str, Any]) -> Mapping[str, Any]:
        written = await write_backup(dsn, folder_of(settings), settings.backup, progress)
        finished.append(FinishedBackup(line_of(written.backup), written.removed, time.monotonic() - began))
        recorded.update(progress)
        return result_of(written)

    beats = ReconnectingConnection(dsn, application_name="outrider maintenance beat")
    try:
        if error := await carry_out_task(beats, record, work):
            raise Unavailable(error)
    finally:
        await beats.close()
    return finished[0]


async def verify_backup(settings: Settings, backup: StoredBackup) -> VerifiedBackup:
    """Compare the checksum and read the whole dump; the result is written to the manifest."""
    began = time.monotonic()
    problem = await problem_of(backup)
    with suppress(OSError):  # a copy that may only be read is verified as well
        await asyncio.to_thread(folder_of(settings).write_verdict, backup, datetime.now(UTC), problem)
    return VerifiedBackup(backup.name, backup.dump, problem, time.monotonic() - began)


async def record_failed_verification(
    db: asyncpg.Connection, backup: str, problem: str, requested_by: str
) -> None:
    """Write a failed verification to the history of maintenance, where the overview and /metrics see it."""
    error = f"the verification of {backup} failed: {problem}"
    async with db.transaction():
        await MaintenanceStore().record(db, MaintenanceTask.BACKUP, requested_by, {"name": backup}, error)


async def run_recovery_test(dsn: str, backup: StoredBackup, progress: dict[str, Any]) -> RecoveryTest:
    """Restore a backup into a scratch database of the same server, compare and read it, and drop it again.

    Raises Conflict with the differences if the rows are not those of the manifest.
    """
    began, database = time.monotonic(), await database_of(dsn)
    scratch = beside_name(database, "recovery_test")
    progress["step"] = "restoring"
    scratch_dsn = await create_beside(dsn, database, scratch)
    try:
        await fill(scratch_dsn, backup)
        async with connected(scratch_dsn) as db:
            progress["step"] = "comparing"
            rows = await check_rows(db, backup)
            applied = await migrate.up(db)
            await analyze(db)
            # Our own code must be able to read what was restored.
            await read_stats(db)
            await list_urls(db, UrlFilter())
            urls = await count_urls(db, rows)
    finally:
        await asyncio.shield(drop(dsn, scratch))
    return RecoveryTest(
        backup.name,
        urls,
        rows.get("document", 0),
        sum(rows.values()),
        len(rows),
        len(applied),
        time.monotonic() - began,
        backup,
    )


async def check_rows(db: asyncpg.Connection, backup: StoredBackup) -> Mapping[str, int]:
    """The rows of a restored database; raises Conflict if they are not those of the manifest."""
    if backup.manifest is None:
        return await count_rows(db)
    differences = await compare(db, backup.manifest.rows)
    if differences:
        told = "; ".join(differences[:MOST_DIFFERENCES])
        raise Conflict(
            f"the restored database is not what {backup.name} was: {told}"
            + ("; …" if len(differences) > MOST_DIFFERENCES else "")
        )
    return backup.manifest.rows
