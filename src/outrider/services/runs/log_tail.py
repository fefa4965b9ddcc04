"""Use cases of the log of one run as a page shows it: its last lines, and the whole as a file."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.object_store.model import ObjectStore
from outrider.run_logs.archive_file import read_archive
from outrider.run_logs.model import LogLine
from outrider.run_logs.position import LogPosition
from outrider.run_logs.store import LogFilter, RunLogStore
from outrider.services.runs.log_view import RunLogFile, log_file_of
from outrider.services.runs.runs import run_named

SHOWN_LINES = 200


@dataclass(frozen=True, slots=True)
class LogTail:
    """The last lines of a run. A stream that begins after `position` continues them."""

    run_id: int
    lines: Sequence[LogLine]
    position: LogPosition
    is_ended: bool
    is_kept: bool  # False: the log was removed
    earlier: int  # lines before these


async def tail_log(
    db: asyncpg.Connection, objects: ObjectStore, named: str, most: int = SHOWN_LINES
) -> LogTail:
    """The last lines of the log of a run, archived or not; raises NotFound if there is no such run."""
    store, wanted = RunLogStore(), LogFilter()
    run_id = await run_named(db, named)
    number = await store.number_before_last(db, run_id, most, wanted)
    page = await store.page_after(db, run_id, number, wanted, most)
    lines: Sequence[LogLine] | None = page.lines
    if page.is_archived:
        lines = None
        if page.object_key is not None:
            lines = await asyncio.to_thread(
                read_archive, objects, page.object_key, 0, wanted, most, newest=True
            )
    shown = lines or ()
    last = shown[-1].position.number if shown else page.last_number
    earlier = shown[0].position.number - 1 if shown else 0
    return LogTail(run_id, shown, LogPosition(run_id, last), page.is_ended, lines is not None, earlier)


async def open_run_log(db: asyncpg.Connection, objects: ObjectStore, named: str) -> RunLogFile:
    """The whole log of a run as a gzip file; raises NotFound if it is not kept any more."""
    return await log_file_of(db, objects, await run_named(db, named))
