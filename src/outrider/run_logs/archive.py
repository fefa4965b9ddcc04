"""Ends the log of a run with a summary and moves it to the archive (SSE-10).

Every step can be repeated: a process that dies between two of them leaves a log that the next pass archives.
The lines leave the table only in the transaction that records where the archive has them.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import NotFound, OutriderError
from outrider.events.catalogue import EventKind
from outrider.events.log import write_events
from outrider.events.record import NewEvent
from outrider.logs import get_logger
from outrider.object_store.model import ObjectStore
from outrider.run_logs.archive_file import ArchiveFile
from outrider.run_logs.model import LineLevel, RunNames
from outrider.run_logs.position import LogPosition
from outrider.run_logs.store import MOST_AT_ONCE, LogFilter, LogPage, RunLogStore
from outrider.runs.model import Run, RunStatus
from outrider.runs.store import RunStore
from outrider.wording import plural

log = get_logger()

CopyLines = Callable[[int], Awaitable[object]]

LATE_S = 10.0  # workers may append lines for this long after the end of a run
RUNS_AT_ONCE = 20

_LEVELS = {
    RunStatus.COMPLETED: LineLevel.INFO,
    RunStatus.CANCELLED: LineLevel.WARN,
    RunStatus.FAILED: LineLevel.ERROR,
}


def archive_key(names: RunNames) -> str:
    return f"logs/{names.log_name}/{names.execution_number}.log.gz"


async def archive_ended(
    connection: ReconnectingConnection,
    objects: ObjectStore,
    *,
    ended_s: float = LATE_S,
    copy: CopyLines | None = None,
) -> int:
    """Archive the logs of some runs that ended a while ago; returns how many."""
    run_ids = await connection.run(lambda db: RunLogStore().runs_to_archive(db, ended_s, RUNS_AT_ONCE))
    return sum([await finish_log(connection, objects, run_id, copy) for run_id in run_ids])


async def finish_log(
    connection: ReconnectingConnection, objects: ObjectStore, run_id: int, copy: CopyLines | None = None
) -> bool:
    """Write the summary of an ended run and archive its log. A failure is logged and never raised.

    `copy` gets the run before its lines leave the table.
    """
    try:
        run = await connection.run(lambda db: RunStore().by_id(db, run_id))
        if run.is_open:
            return False
        await connection.run(lambda db: RunLogStore().begin(db, run_id), is_one_statement=True)
        number = await connection.run(lambda db: _write_summary(db, run), is_one_statement=True)
        if number is not None:
            position = LogPosition(run_id, number)
            await connection.run(lambda db: RunLogStore().wake_readers(db, [position]))
            if copy is not None:
                await copy(run_id)
        return await _archive(connection, objects, run)
    except (OutriderError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        log.warning("log of a run not archived, it stays in the database", run=run_id, error=str(error))
        return False


async def forget_old_archives(
    connection: ReconnectingConnection, objects: ObjectStore, kept_days: int
) -> int:
    """Delete archived logs of runs that ended long ago; returns how many."""
    old = await connection.run(lambda db: RunStore().with_old_logs(db, kept_days, MOST_AT_ONCE))
    for run_id, key in old:
        await asyncio.to_thread(objects.delete, key)

        async def forget(db: asyncpg.Connection, run_id: int = run_id) -> None:
            await RunStore().forget_log(db, run_id)

        await connection.run(forget)
    return len(old)


async def _write_summary(db: asyncpg.Connection, run: Run) -> int | None:
    metrics = run.metadata.get("crawl_metrics", {})
    entries = metrics.get("entries", {})
    pages = plural(run.items_crawled, "page")
    message = f"run {run.status}: {pages}, {entries.get('dead', 0):,} given up"
    if run.error_message:
        message += f": {run.error_message}"
    took = run.duration
    fields = {
        "pages": run.items_crawled,
        "indexed": run.items_indexed,
        "duration_s": None if took is None else round(took.total_seconds(), 1),
        "requests": metrics.get("requests_total", 0),
        "requests_failed": metrics.get("requests_failed", 0),
        "failures": metrics.get("error_categories", {}),
        "dead_reasons": metrics.get("dead_reasons", {}),
        "robots_refused": metrics.get("skipped", {}).get("robots_txt", 0),
        "rate_limits": metrics.get("rate_limits", 0),
    }
    return await RunLogStore().end(db, run.run_id, _LEVELS[run.status], message, fields)


async def _archive(connection: ReconnectingConnection, objects: ObjectStore, run: Run) -> bool:
    """Write the archive, then record it and remove the lines in one transaction."""
    store = RunLogStore()
    names = await connection.run(lambda db: store.names(db, run.run_id))
    key = archive_key(names)
    with tempfile.TemporaryDirectory(prefix="outrider-log-") as folder:
        path = Path(folder) / "log.gz"
        lines = await _write_file(connection, store, run.run_id, path, names)
        if lines is None:
            return False
        size = path.stat().st_size
        await asyncio.to_thread(objects.put, key, path)

    async def record(db: asyncpg.Connection) -> bool:
        if not await store.mark_archived(db, run.run_id):
            return False
        await RunStore().set_log(db, run.run_id, key, size, lines)
        await store.remove_lines(db, run.run_id)
        payload = {
            "job_id": names.log_name,
            "execution_id": str(names.execution_id),
            "run_id": run.run_id,
            "execution_number": names.execution_number,
            "object_key": key,
            "size_bytes": size,
            "lines": lines,
        }
        await write_events(db, [NewEvent(EventKind.LOG_ARCHIVED, str(names.execution_id), payload)])
        return True

    return await connection.run(record)


async def _write_file(
    connection: ReconnectingConnection, store: RunLogStore, run_id: int, path: Path, names: RunNames
) -> int | None:
    """Write all lines of an ended log to a file; returns how many, None if they are archived already."""
    file, number = ArchiveFile(path, names), 0
    try:
        while True:

            async def read(db: asyncpg.Connection, number: int = number) -> LogPage:
                return await store.page_after(db, run_id, number, LogFilter())

            page = await connection.run(read, is_one_statement=True)
            if page.is_archived:
                return None
            await asyncio.to_thread(file.write, page.lines)
            if len(page.lines) < MOST_AT_ONCE:
                return file.lines
            number = page.lines[-1].position.number
    except NotFound:
        return None
    finally:
        file.close()
