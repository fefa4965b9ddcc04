"""The use case of a restore: fill a new database beside the present one, check it, and swap the names."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import asyncpg

from outrider.backup.connections import connected, dsn_of
from outrider.backup.databases import (
    ProgramSessions,
    analyze,
    beside_name,
    create_beside,
    database_of,
    drop,
    fill,
    kept_databases,
    replaced_name,
    sessions_of,
    swap,
)
from outrider.backup.files import StoredBackup
from outrider.backup.verify import problem_of
from outrider.backup.write import count_rows, count_urls
from outrider.db import migrate
from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.services.operations.after_restore import Withdrawn, prepare_restored, read_replaced
from outrider.services.operations.backups import check_disk, check_rows, check_schema
from outrider.settings import Settings
from outrider.wording import plural

# The rows that a database has before anybody uses it, and those of processes that only started.
_ROWS_OF_NEW = {
    "source": 1,
    "event_log_pruned": 1,
    "url_lineage": 1,
    "url_rules": 1,
    "discovered_domain_summed": 1,
}
_OF_PROCESSES = ("schema_migration", "worker", "scheduler", "leader", "leader_task")


@dataclass(frozen=True, slots=True)
class PresentDatabase:
    """The database that a restore replaces."""

    name: str
    urls: int
    pages: int
    is_empty: bool  # it holds nothing that anybody would miss
    sessions: Sequence[ProgramSessions]


@dataclass(frozen=True, slots=True)
class RestoredDatabase:
    """The result of a restore."""

    backup: str
    urls: int
    pages: int
    rows: int | None  # None: there was no manifest to compare with
    migrations: int  # that were applied, because the backup was of an older Outrider
    kept_as: str | None  # the database that was replaced; None: it was empty, and was dropped
    withdrawn: Withdrawn
    took_s: float


async def look_at_present(dsn: str) -> PresentDatabase:
    """The database that would be replaced, and the programs that use it."""
    async with connected(dsn) as db:
        own = db.get_server_pid()
        name = await database_of(dsn)
        rows = await count_rows(db)
        urls = await count_urls(db, rows)
    return PresentDatabase(
        name,
        urls,
        rows.get("document", 0),
        is_unused(rows),
        await sessions_of(dsn, name, [own]),
    )


def is_unused(rows: Mapping[str, int]) -> bool:
    """Whether a database with so many rows in its tables holds nothing that anybody would miss. Pure."""
    return all(count <= _ROWS_OF_NEW.get(table, 0) or table in _OF_PROCESSES for table, count in rows.items())


def refuse_if_in_use(present: PresentDatabase) -> None:
    """Raise Conflict while other programs use the database; it names them."""
    if present.sessions:
        named = ", ".join(f"{each.program} ({plural(each.sessions, 'session')})" for each in present.sessions)
        raise Conflict(
            f"the database is in use: {named}. Stop `outrider serve` and every other command first, or end "
            "their sessions with --force"
        )


async def check_backup(backup: StoredBackup, settings: Settings) -> None:
    """Refuse a backup that is damaged, of a newer Outrider, or too large for the disk here."""
    check_schema(backup)
    if problem := await problem_of(backup):
        raise InvalidInput(f"{backup.name} cannot be restored: {problem}")
    check_disk(backup, settings)


async def restore_backup(
    dsn: str,
    present: PresentDatabase,
    backup: StoredBackup,
    progress: dict[str, Any],
    *,
    force: bool = False,
    keep_tokens: bool = False,
) -> RestoredDatabase:
    """Replace the database by a backup. Until the last step, the names, the present one is not touched."""
    if not force:
        refuse_if_in_use(present)
    began, new = time.monotonic(), beside_name(present.name, "restoring")
    progress["step"] = "restoring"
    new_dsn = await create_beside(dsn, present.name, new)
    try:
        await fill(new_dsn, backup)
        async with connected(new_dsn) as db:
            progress["step"] = "comparing"
            rows = await check_rows(db, backup)
            urls = await count_urls(db, rows)
            applied = await migrate.up(db)
            progress["step"] = "preparing"
            await analyze(db)
            withdrawn = await _prepare(db, dsn, present, _result(backup), keep_tokens)
        progress["step"] = "replacing"
        taken = await kept_databases(dsn, present.name)
        kept_as = replaced_name(present.name, datetime.now(UTC), taken)
        await swap(dsn, present.name, new, kept_as, end_sessions=force)
    except BaseException:
        await asyncio.shield(drop(dsn, new))
        raise
    if present.is_empty:
        await drop(dsn, kept_as)
    return RestoredDatabase(
        backup.name,
        urls,
        rows.get("document", 0),
        None if backup.manifest is None else sum(rows.values()),
        len(applied),
        None if present.is_empty else kept_as,
        withdrawn,
        time.monotonic() - began,
    )


async def undo_restore(
    dsn: str, present: PresentDatabase, progress: dict[str, Any], *, force: bool = False
) -> RestoredDatabase:
    """Bring the database back that the last restore replaced; raises NotFound if none is kept."""
    if not force:
        refuse_if_in_use(present)
    began, kept = time.monotonic(), await kept_databases(dsn, present.name)
    if not kept:
        raise NotFound("no database is kept that a restore replaced")
    async with connected(dsn_of(dsn, kept[0])) as db:
        progress["step"] = "preparing"
        applied = await migrate.up(db)
        counts = await count_rows(db)
        urls = await count_urls(db, counts)
        withdrawn = await _prepare(db, dsn, present, {}, keep_tokens=True)
    progress["step"] = "replacing"
    kept_as = replaced_name(present.name, datetime.now(UTC), kept)
    await swap(dsn, present.name, kept[0], kept_as, end_sessions=force)
    return RestoredDatabase(
        kept[0],
        urls,
        counts.get("document", 0),
        None,
        len(applied),
        kept_as,
        withdrawn,
        time.monotonic() - began,
    )


async def list_replaced(dsn: str) -> list[str]:
    """The databases that restores replaced and kept, newest first."""
    return await kept_databases(dsn, await database_of(dsn))


async def drop_replaced(dsn: str) -> list[str]:
    """Drop the databases that restores replaced; returns their names."""
    kept = await list_replaced(dsn)
    for name in kept:
        await drop(dsn, name)
    return kept


async def _prepare(
    db: asyncpg.Connection, dsn: str, present: PresentDatabase, result: Mapping[str, Any], keep_tokens: bool
) -> Withdrawn:
    facts = None
    if not present.is_empty:
        async with connected(dsn) as replaced:
            facts = await read_replaced(replaced)
    return await prepare_restored(db, facts, result, keep_tokens=keep_tokens)


def _result(backup: StoredBackup) -> dict[str, Any]:
    """What the history of maintenance says about the backup, which was not finished when it was dumped."""
    manifest = backup.manifest
    if manifest is None:
        return {"name": backup.name}
    rows = sum(manifest.rows.values())
    return {"name": backup.name, "bytes": manifest.bytes, "rows": rows, "verified": True}
