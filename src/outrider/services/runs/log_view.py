"""Use cases of the logs of a job's executions: which there are, one page of lines, a file."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

import asyncpg

from outrider.errors import InvalidInput, NotFound
from outrider.object_store.model import ObjectStore
from outrider.run_logs.archive_file import ArchiveFile, read_archive
from outrider.run_logs.model import LogLine, RunNames
from outrider.run_logs.position import LogPosition
from outrider.run_logs.store import MOST_AT_ONCE, LogFilter, RunLogStore
from outrider.runs.history import run_of_job, runs_of_job
from outrider.runs.model import Run, RunStatus
from outrider.services.jobs.jobs import find_job
from outrider.services.paging import ListPage, PageRequest

LATEST = "latest"
MOST_DIGITS = 9
CHUNK = 64 << 10
GONE = "the log of this execution is not kept any more"


@dataclass(frozen=True, slots=True)
class LogAvailability:
    """The log of one execution."""

    execution_id: UUID
    execution_number: int
    status: RunStatus
    is_live: bool  # lines are still appended
    is_archived: bool
    log_available: bool
    log_object_key: str | None
    log_size_bytes: int | None  # of the archive
    log_line_count: int | None


@dataclass(frozen=True, slots=True)
class JobLogs:
    """The logs of a job's executions, newest first."""

    job_id: UUID
    has_live_logs: bool
    stream_v2_available: bool
    executions: ListPage[LogAvailability]

    def json_form(self) -> dict[str, Any]:
        page = self.executions
        return {
            "job_id": self.job_id,
            "has_live_logs": self.has_live_logs,
            "stream_v2_available": self.stream_v2_available,
            "executions": page.items,
            "total": page.total,
            "limit": page.limit,
            "offset": page.offset,
        }


@dataclass(frozen=True, slots=True)
class LogView:
    """Lines of one execution. The next page, or a stream, begins after `position`."""

    names: RunNames
    status: RunStatus
    lines: Sequence[LogLine]
    position: LogPosition
    has_more: bool
    is_ended: bool

    def json_form(self) -> dict[str, Any]:
        return {
            "execution_id": self.names.execution_id,
            "execution_number": self.names.execution_number,
            "status": self.status,
            "lines": [line.as_json(self.names) for line in self.lines],
            "position": str(self.position),
            "has_more": self.has_more,
            "is_ended": self.is_ended,
        }


@dataclass(frozen=True, slots=True)
class RunLogFile:
    """A gzip file with one JSON object a line. The reader closes it by reading it to its end."""

    name: str
    file: BinaryIO

    def chunks(self) -> Iterator[bytes]:
        with self.file:
            while chunk := self.file.read(CHUNK):
                yield chunk


async def job_logs(db: asyncpg.Connection, named: str, page: PageRequest) -> JobLogs:
    """Which logs there are of the executions of a job; raises NotFound."""
    async with db.transaction():
        job = (await find_job(db, named)).job
        runs, total = await runs_of_job(db, job.job_id, page.limit, page.offset)
        states = await RunLogStore().states(db, [run.run_id for run in runs])
    items = [_availability(run, states.get(run.run_id)) for run in runs]
    is_live = any(item.is_live for item in items)
    return JobLogs(job.public_id, is_live, True, ListPage(items, total, page.limit, page.offset))


async def view_log(
    db: asyncpg.Connection,
    objects: ObjectStore,
    named: str,
    execution: str,
    after: str | None,
    wanted: LogFilter,
    most: int,
) -> LogView:
    """The lines of an execution after a position, or the first; raises NotFound and InvalidInput."""
    run = await _execution(db, named, execution)
    store, number = RunLogStore(), 0
    if after is not None:
        number = LogPosition.parse(after).of_run(run.run_id).number
    names = await store.names(db, run.run_id)
    page = await store.page_after(db, run.run_id, number, wanted, most)
    lines: Sequence[LogLine] = page.lines
    if page.is_archived:
        found = None
        if page.object_key is not None:
            found = await asyncio.to_thread(read_archive, objects, page.object_key, number, wanted, most)
        if found is None:
            raise NotFound(GONE)
        lines = found
    is_full = len(lines) == most
    last = lines[-1].position.number if is_full else max(page.last_number, number)
    return LogView(names, run.status, lines, LogPosition(run.run_id, last), is_full, page.is_ended)


async def open_log_file(
    db: asyncpg.Connection, objects: ObjectStore, named: str, execution: str
) -> RunLogFile:
    """The whole log of an execution as a gzip file: the archived one, or one of the lines so far."""
    return await log_file_of(db, objects, (await _execution(db, named, execution)).run_id)


async def log_file_of(db: asyncpg.Connection, objects: ObjectStore, run_id: int) -> RunLogFile:
    """The whole log of a run as a gzip file; raises NotFound if it is not kept any more."""
    store = RunLogStore()
    names = await store.names(db, run_id)
    name = f"{names.log_name}-{names.execution_number}.log.gz"
    page = await store.page_after(db, run_id, 0, LogFilter(), 1)
    if not page.is_archived:
        written = await _write(db, run_id, names)
        if written is not None:
            return RunLogFile(name, written)
        page = await store.page_after(db, run_id, 0, LogFilter(), 1)  # it was archived meanwhile
    opened = None if page.object_key is None else await asyncio.to_thread(objects.open, page.object_key)
    if opened is None:
        raise NotFound(GONE)
    return RunLogFile(name, opened)


async def _write(db: asyncpg.Connection, run_id: int, names: RunNames) -> BinaryIO | None:
    """The lines of the table as a file that has no name any more; None if they are archived by now."""
    number = 0
    with tempfile.TemporaryDirectory(prefix="outrider-log-") as folder:
        path = Path(folder) / "log.gz"
        file = ArchiveFile(path, names)
        try:
            while True:
                page = await RunLogStore().page_after(db, run_id, number, LogFilter())
                if page.is_archived:
                    return None
                await asyncio.to_thread(file.write, page.lines)
                if len(page.lines) < MOST_AT_ONCE:
                    break
                number = page.lines[-1].position.number
        finally:
            file.close()
        return path.open("rb")


async def _execution(db: asyncpg.Connection, named: str, execution: str) -> Run:
    job = (await find_job(db, named)).job
    number = None
    if execution != LATEST:
        if not (execution.isascii() and execution.isdigit() and len(execution) <= MOST_DIGITS):
            raise InvalidInput(f"execution is a number, or `{LATEST}`")
        number = int(execution)
    run = await run_of_job(db, job.job_id, number)
    if run is None:
        what = "has not run yet" if number is None else f"has no execution {number}"
        raise NotFound(f"job {job.job_id} {what}")
    return run


def _availability(run: Run, state: tuple[int, bool] | None) -> LogAvailability:
    last, is_archived = state or (0, False)
    has_lines = last > 0 and not is_archived
    is_kept = run.log_object_key is not None or has_lines
    return LogAvailability(
        execution_id=run.public_id,
        execution_number=run.execution_number,
        status=run.status,
        is_live=run.is_open,
        is_archived=is_archived,
        log_available=is_kept,
        log_object_key=run.log_object_key,
        log_size_bytes=run.log_size_bytes,
        log_line_count=run.log_line_count if run.log_line_count is not None else (last or None),
    )
