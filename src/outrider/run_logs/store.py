"""The statements on the tables of run logs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.run_logs.model import (
    LineLevel,
    LogCategory,
    LogLine,
    NewLine,
    RunNames,
    clean,
    encode_fields,
)
from outrider.run_logs.position import LogPosition

CHANNEL = "outrider_run_logs"
MOST_AT_ONCE = 1_000

_SQL = Queries.load("outrider.run_logs")


@dataclass(frozen=True, slots=True)
class LogFilter:
    """Which lines a reader wants."""

    level: LineLevel = LineLevel.DEBUG
    categories: tuple[LogCategory, ...] = tuple(LogCategory)

    def fits(self, line: LogLine) -> bool:
        return line.level.value in self.level.and_above and line.category in self.categories

    @property
    def parameters(self) -> tuple[list[str], list[str]]:
        return self.level.and_above, [category.value for category in self.categories]


@dataclass(frozen=True, slots=True)
class LogPage:
    """Lines of the table, and where the log stands in the same snapshot."""

    lines: Sequence[LogLine]
    last_number: int
    is_ended: bool
    is_archived: bool
    object_key: str | None


@dataclass(frozen=True, slots=True)
class LineBatch:
    """Lines of one writer for one run. Sent again with the same number, it writes nothing."""

    run_id: int
    writer: UUID
    number: int
    lines: Sequence[NewLine]
    dropped: int = 0
    throttled: int = 0


@dataclass(frozen=True, slots=True)
class ProgressState:
    """What the log of a run says about its progress."""

    run_id: int
    milestone: int  # pages
    is_old: bool  # the last line about progress


class RunLogStore:
    """Every method is one statement, so a client that stops cannot hold the lock of a log."""

    async def begin(self, db: asyncpg.Connection, run_id: int) -> None:
        """Write the first line, unless it is there or the run is gone."""
        await db.execute(_SQL.begin_log, run_id)

    async def append(self, db: asyncpg.Connection, batch: LineBatch, most_lines: int) -> int | None:
        """Append a batch; returns the newest number, None if it was appended before or the log has ended."""
        number: int | None = await db.fetchval(
            _SQL.append_lines,
            batch.run_id,
            batch.writer,
            batch.number,
            [datetime.fromtimestamp(line.at, UTC) for line in batch.lines],
            [line.level.value for line in batch.lines],
            [line.category.value for line in batch.lines],
            [clean(line.message) for line in batch.lines],
            [encode_fields(line.fields) for line in batch.lines],
            batch.dropped,
            batch.throttled,
            most_lines,
        )
        return number

    async def progress_states(
        self, db: asyncpg.Connection, run_ids: Sequence[int], every_s: float
    ) -> list[ProgressState]:
        """The state of each of these logs that is open."""
        rows = await db.fetch(_SQL.progress_states, run_ids, every_s)
        return [ProgressState(**dict(row)) for row in rows]

    async def append_progress(
        self,
        db: asyncpg.Connection,
        run_id: int,
        milestone: int,
        every_s: float,
        most_lines: int,
        message: str,
        fields: Mapping[str, Any],
    ) -> int | None:
        """Append a line about the progress if it is due; returns its number."""
        number: int | None = await db.fetchval(
            _SQL.append_progress,
            run_id,
            milestone,
            every_s,
            most_lines,
            clean(message),
            encode_fields(fields),
        )
        return number

    async def end(
        self, db: asyncpg.Connection, run_id: int, level: LineLevel, message: str, fields: Mapping[str, Any]
    ) -> int | None:
        """Append the summary; returns its number, None if the log has ended before."""
        number: int | None = await db.fetchval(
            _SQL.end_log, run_id, level.value, clean(message), encode_fields(fields)
        )
        return number

    async def page_after(
        self,
        db: asyncpg.Connection,
        run_id: int,
        number: int,
        wanted: LogFilter,
        most: int = MOST_AT_ONCE,
    ) -> LogPage:
        """The lines after a number; raises NotFound if there is no such run."""
        rows = await db.fetch(_SQL.lines_after, run_id, number, *wanted.parameters, most)
        if not rows:
            raise NotFound(f"there is no run {run_id}: `outrider run list` shows them")
        lines = [_line(run_id, row) for row in rows if row["number"] is not None]
        state = rows[0]
        return LogPage(
            lines, state["last_number"], state["is_ended"], state["is_archived"], state["log_object_key"]
        )

    async def number_before_last(
        self, db: asyncpg.Connection, run_id: int, last: int, wanted: LogFilter
    ) -> int:
        """The number after which the last so many lines follow."""
        return await db.fetchval(_SQL.number_before_last, run_id, *wanted.parameters, last) or 0

    async def states(self, db: asyncpg.Connection, run_ids: Sequence[int]) -> dict[int, tuple[int, bool]]:
        """The number of the newest line of each log, and whether the log is archived."""
        rows = await db.fetch(_SQL.log_states, run_ids)
        return {row["run_id"]: (row["last_number"], row["is_archived"]) for row in rows}

    async def names(self, db: asyncpg.Connection, run_id: int) -> RunNames:
        """Raises NotFound if there is no such run."""
        row = await db.fetchrow(_SQL.public_ids, run_id)
        if row is None:
            raise NotFound(f"there is no run {run_id}: `outrider run list` shows them")
        return RunNames(**dict(row))

    async def wake_readers(self, db: asyncpg.Connection, positions: Sequence[LogPosition]) -> None:
        await db.execute(_SQL.wake_readers, CHANNEL, [str(position) for position in positions])

    async def runs_to_archive(self, db: asyncpg.Connection, ended_s: float, most: int) -> list[int]:
        return [row["run_id"] for row in await db.fetch(_SQL.runs_to_archive, ended_s, most)]

    async def mark_archived(self, db: asyncpg.Connection, run_id: int) -> bool:
        """Record that the archive holds the log; False if that was recorded before."""
        return await db.fetchval(_SQL.mark_archived, run_id) is not None

    async def remove_lines(self, db: asyncpg.Connection, run_id: int) -> None:
        await db.execute(_SQL.remove_lines, run_id)


def _line(run_id: int, row: Any) -> LogLine:
    return LogLine(
        LogPosition(run_id, row["number"]),
        row["at"],
        LineLevel(row["level"]),
        LogCategory(row["category"]),
        row["message"],
        json.loads(row["fields"]),
    )
