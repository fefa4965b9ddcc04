"""Replays and follows the log of a run by position: every line once, from the table or from the archive."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from outrider.db.pooled import RunsWork
from outrider.errors import Unavailable
from outrider.events.listen import Wakes
from outrider.object_store.model import ObjectStore
from outrider.run_logs.archive_file import read_archive
from outrider.run_logs.model import LogCategory, LogLine
from outrider.run_logs.position import LogPosition
from outrider.run_logs.store import LogFilter, LogPage, RunLogStore

REPLAYED = 200  # lines
AT_ONCE = 1_000
POLL_S = 2.0  # notifications can get lost, so readers look by themselves as well
PATIENCE_S = 600.0  # of a reader while the database is away

EVERY_LINE = LogFilter()


@dataclass(frozen=True, slots=True)
class LogBatch:
    """The lines of one read, and the position from which to continue.

    `is_kept` False means that lines after the reader's position are gone: the reader starts anew from
    `position`. `is_ended` means that no line comes after `position`.
    """

    lines: Sequence[LogLine]
    position: LogPosition
    is_kept: bool = True
    is_full: bool = False  # more lines may be waiting
    is_ended: bool = False


class LiveLines(Protocol):
    """A second store that has new lines, such as a Redis stream."""

    async def next_lines(self, after: LogPosition) -> list[LogLine]:
        """The next lines, or none after a few seconds; raises Unavailable while the store is away."""


class RunLogReader:
    """Reads logs; while the database is away it waits for `patience_s`."""

    def __init__(self, connection: RunsWork, objects: ObjectStore, *, patience_s: float = PATIENCE_S) -> None:
        self._connection = connection
        self._objects = objects
        self._store = RunLogStore()
        self._patience_s = patience_s

    async def read(
        self,
        run_id: int,
        after: LogPosition | None,
        *,
        wanted: LogFilter = EVERY_LINE,
        most: int = AT_ONCE,
    ) -> LogBatch:
        """The lines after a position, or the first; raises InvalidInput for a position of another run."""
        number = 0 if after is None else after.of_run(run_id).number
        limit = max(1, min(most, AT_ONCE))
        page = await self._connection.run(
            lambda db: self._store.page_after(db, run_id, number, wanted, limit),
            patience_s=self._patience_s,
            is_one_statement=True,
        )
        if number > page.last_number:
            return LogBatch((), LogPosition(run_id, 0), is_kept=False)
        if page.is_archived:
            return await self._read_archive(run_id, number, page, wanted, limit)
        return _batch(run_id, page.lines, page.last_number, limit, is_ended=page.is_ended)

    async def replay(
        self,
        run_id: int,
        after: LogPosition | None = None,
        last: int = REPLAYED,
        *,
        wanted: LogFilter = EVERY_LINE,
    ) -> LogBatch:
        """The lines after a position; without a position, the last so many lines. At most a thousand."""
        start = after or await self.position_before_last(run_id, last, wanted)
        return await self.read(run_id, start, wanted=wanted)

    async def position_before_last(
        self, run_id: int, last: int, wanted: LogFilter = EVERY_LINE
    ) -> LogPosition:
        """The position after which the last so many lines follow."""
        page = await self._connection.run(
            lambda db: self._store.page_after(db, run_id, 0, wanted, 1), patience_s=self._patience_s
        )
        if page.is_archived:
            number = await self._archived_before_last(page, last, wanted)
        else:
            number = await self._connection.run(
                lambda db: self._store.number_before_last(db, run_id, last, wanted),
                patience_s=self._patience_s,
            )
        return LogPosition(run_id, number)

    async def _read_archive(
        self, run_id: int, number: int, page: LogPage, wanted: LogFilter, limit: int
    ) -> LogBatch:
        lines = None
        if page.object_key is not None:
            lines = await asyncio.to_thread(
                read_archive, self._objects, page.object_key, number, wanted, limit
            )
        if lines is None and number < page.last_number:
            return LogBatch((), LogPosition(run_id, page.last_number), is_kept=False, is_ended=True)
        return _batch(run_id, lines or (), page.last_number, limit, is_ended=True)

    async def _archived_before_last(self, page: LogPage, last: int, wanted: LogFilter) -> int:
        if page.object_key is None:
            return 0
        lines = await asyncio.to_thread(
            read_archive, self._objects, page.object_key, 0, wanted, last + 1, newest=True
        )
        return lines[0].position.number if lines is not None and len(lines) > last else 0


async def follow(
    reader: RunLogReader,
    run_id: int,
    listener: Wakes,
    after: LogPosition | None = None,
    *,
    last: int = REPLAYED,
    wanted: LogFilter = EVERY_LINE,
    poll_s: float = POLL_S,
    live: LiveLines | None = None,
) -> AsyncIterator[LogBatch]:
    """Every line after a position until the log ends; without a position, the last lines first.

    A batch whose `is_kept` is False says that lines are gone, once; the next batches continue after them.
    With `live`, new lines come from there, and from PostgreSQL if some are missing there or it is away.
    """
    position = after or await reader.position_before_last(run_id, last, wanted)
    while True:
        wakeup = listener.wakeup  # taken before the read: a notification during the read counts
        batch = await reader.read(run_id, position, wanted=wanted)
        position = batch.position
        if batch.lines or not batch.is_kept or batch.is_ended:
            yield batch
        if batch.is_ended and not batch.is_full:
            return
        if batch.is_full or not batch.is_kept:
            continue
        try:
            while live is not None and (lines := await _next_live(live, position)):
                position = lines[-1].position
                if chosen := [line for line in lines if wanted.fits(line)]:
                    yield LogBatch(chosen, position)
        except Unavailable:
            await _wait(wakeup, poll_s)
        else:
            if live is None:
                await _wait(wakeup, poll_s)


async def _next_live(live: "LiveLines", position: LogPosition) -> list[LogLine]:
    """The next lines, if none is missing between them; else the caller asks PostgreSQL, as about the end."""
    lines = await live.next_lines(position)
    numbers = [line.position.number for line in lines]
    follows_on = numbers == list(range(position.number + 1, position.number + 1 + len(lines)))
    may_end = any(line.category is LogCategory.LIFECYCLE for line in lines)
    return lines if follows_on and not may_end else []


async def _wait(wakeup: asyncio.Event, longest_s: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(longest_s):
            await wakeup.wait()


def _batch(
    run_id: int, lines: Sequence[LogLine], last_number: int, limit: int, *, is_ended: bool
) -> LogBatch:
    """A batch that is not full reaches the newest line, whatever the filter left out."""
    if len(lines) == limit:
        return LogBatch(lines, lines[-1].position, is_full=True)
    return LogBatch(lines, LogPosition(run_id, last_number), is_ended=is_ended)
