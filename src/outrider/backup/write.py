"""Writes a backup: a snapshot, its rows counted, its dump by pg_dump, and a verification of the result."""

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg

from outrider import __version__
from outrider.backup.connections import connected
from outrider.backup.files import BackupFolder, NewBackup, StoredBackup
from outrider.backup.model import Manifest
from outrider.backup.options import BackupOptions
from outrider.backup.programs import database_argument, programs_for, run_program
from outrider.backup.verify import problem_of
from outrider.db.queries import Queries
from outrider.errors import Unavailable
from outrider.wording import size

COMPRESSION = 1
LOCK_WAIT_S = 60  # for a migration that holds a table
SPARE_BYTES = 64 << 20

_SQL = Queries.load("outrider.backup")


@dataclass(frozen=True, slots=True)
class WrittenBackup:
    """A backup that was just written, and those that were too old."""

    backup: StoredBackup
    manifest: Manifest
    removed: list[str]


async def write_backup(
    dsn: str, folder: BackupFolder, options: BackupOptions, progress: dict[str, Any]
) -> WrittenBackup:
    """Write and verify a backup, then remove those that are too old.

    `progress` gets the step and the bytes while the work goes on. Raises Unavailable if the verification
    fails: the backup is kept then, with the problem in its manifest, and it does not count as a good one.
    """
    await asyncio.to_thread(folder.prepare)
    created_at = datetime.now(UTC)
    try:
        with folder.new(created_at) as new:
            manifest = await _dump(dsn, new, created_at, progress)
            progress["step"] = "verifying"
            problem = await problem_of(StoredBackup(new.partial, manifest))
            manifest = replace(manifest, verified_at=datetime.now(UTC), problem=problem)
            backup = new.commit(manifest)
    except OSError as error:
        raise Unavailable(f"the backup cannot be written to {folder.path}: {error.strerror}") from error
    progress |= {"step": "done", "name": backup.name, "verified": problem is None}
    if problem is not None:
        raise Unavailable(f"the verification of {backup.name} failed: {problem}")
    return WrittenBackup(backup, manifest, folder.prune(datetime.now(UTC), options.kept_days))


async def _dump(dsn: str, new: NewBackup, created_at: datetime, progress: dict[str, Any]) -> Manifest:
    async with connected(dsn) as db, db.transaction(isolation="repeatable_read", readonly=True):
        facts = await db.fetchrow(_SQL.describe_database)
        assert facts is not None
        programs = await asyncio.to_thread(programs_for, facts["major"])
        _check_space(new.partial.parent, facts["table_bytes"])
        snapshot = await db.fetchval(_SQL.export_snapshot)
        progress |= {"step": "counting"}
        rows = await count_rows(db)
        urls = await count_urls(db, rows)
        progress |= {"step": "writing", "bytes": 0}

        def take(piece: bytes) -> None:
            new.write(piece)
            progress["bytes"] = new.bytes

        command: list[str | Path] = [
            programs / "pg_dump",
            "--format=custom",
            f"--compress={COMPRESSION}",
            "--no-password",
            f"--snapshot={snapshot}",
            f"--lock-wait-timeout={LOCK_WAIT_S}s",
            f"--dbname={database_argument(await db.fetchval(_SQL.database_name))}",
        ]
        await run_program(command, dsn, take=take)
    checksum = await asyncio.to_thread(new.sync)
    return Manifest(
        created_at,
        __version__,
        facts["schema_version"],
        facts["postgresql"],
        facts["database_bytes"],
        new.bytes,
        checksum,
        urls,
        rows,
    )


async def count_rows(db: asyncpg.Connection) -> Mapping[str, int]:
    """The rows of every table, in the snapshot of the caller's transaction."""
    statements = await db.fetch(_SQL.count_statements)
    return {each["table_name"]: await db.fetchval(each["statement"], timeout=None) for each in statements}


async def count_urls(db: asyncpg.Connection, rows: Mapping[str, int]) -> int:
    """The URLs of a database with so many rows in its tables; one without tables has none."""
    found: int = await db.fetchval(_SQL.count_urls, timeout=None) if rows.get("url") else 0
    return found


def _check_space(folder: Path, table_bytes: int) -> None:
    needed, free = table_bytes + SPARE_BYTES, shutil.disk_usage(folder).free
    if free < needed:
        raise Unavailable(
            f"a backup may need up to {size(needed)} in {folder}, where {size(free)} are free: free some "
            "space, or choose another folder with OUTRIDER_BACKUP_DIR"
        )
