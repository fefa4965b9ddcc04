"""Appends the lines of one worker to the logs of runs, without the crawl waiting for it.

    visit ── write ──▶ buffer ── one batch a run ──▶ append (its own transaction) ──▶ NOTIFY

The buffer is bounded. While the database is slow or away, lines that do not fit are counted and dropped, and
the next batch carries the count. A batch whose answer was lost is sent again with the same number, which
writes it once.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol
from uuid import UUID, uuid4

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.logs import get_logger
from outrider.run_logs.model import LineLevel, LogCategory, NewLine
from outrider.run_logs.options import RunLogOptions
from outrider.run_logs.position import LogPosition
from outrider.run_logs.progress import ReadCounts, write_progress
from outrider.run_logs.store import LineBatch, RunLogStore

log = get_logger()

AT_ONCE = 500  # lines of one run in a batch
REST_S = 0.5
DRAIN_S = 5.0  # at the end of the worker
PROGRESS_S = 1.0  # between two looks at the counters of runs
FORGET_S = 300.0  # after this time without work for a run, the writer forgets it


class LineCopy(Protocol):
    """A second store for lines, such as a Redis stream."""

    def note(self, run_id: int) -> None:
        """A run has new lines."""

    async def run(self) -> None:
        """Copy the lines of noted runs, until cancelled."""

    async def copy_noted(self) -> None:
        """Copy the lines of noted runs now."""

    async def close(self) -> None: ...


_NO_FIELDS: Mapping[str, Any] = {}


class RunLogWriter:
    """One for each worker. `write` never waits and never raises."""

    def __init__(
        self,
        connection: ReconnectingConnection,
        options: RunLogOptions,
        *,
        worker_id: int | None = None,
        run_counts: ReadCounts | None = None,
        copy: LineCopy | None = None,
    ) -> None:
        """With `run_counts`, which reads the counters of runs, it also writes about their progress.

        `copy` gets the runs that have new lines.
        """
        self._connection = connection
        self._options = options
        self._run_counts = run_counts
        self._copy = copy
        self._origin: Mapping[str, Any] = {} if worker_id is None else {"worker": worker_id}
        self._levels = frozenset(options.shown_level.and_above)
        self._store = RunLogStore()
        self._id: UUID = uuid4()
        self._waiting: dict[int, deque[NewLine]] = {}
        self._held = 0  # lines that are not appended yet
        self._dropped: Counter[int] = Counter()
        self._throttled: Counter[int] = Counter()
        self._sending: LineBatch | None = None
        self._batches = 0  # of all runs together, so that they grow for each run
        self._begun: set[int] = set()
        self._worked_at: dict[int, float] = {}  # runs, and when this worker last worked for them
        self._progress_at = float("-inf")
        self._is_failing = False

    @property
    def held(self) -> int:
        """Lines that wait for the database."""
        return self._held

    def write(
        self,
        run_id: int,
        level: LineLevel,
        category: LogCategory,
        message: str,
        fields: Mapping[str, Any] = _NO_FIELDS,
    ) -> None:
        """Add a line to the buffer, if there is room for it."""
        if level not in self._levels:
            return
        if self._held >= self._options.buffer:
            self._dropped[run_id] += 1
            return
        waiting = self._waiting.get(run_id)
        if waiting is None:
            waiting = self._waiting[run_id] = deque()
        waiting.append(NewLine(time.time(), level, category, message, fields))
        self._held += 1

    def throttled(self, run_id: int) -> None:
        """Count a line that was left out because there were many like it."""
        self._throttled[run_id] += 1

    def note_work(self, run_id: int, now: float) -> None:
        """Remember that this worker works for the run: it writes about its progress."""
        self._worked_at[run_id] = now

    async def run(self) -> None:
        """Append what is in the buffer, until cancelled."""
        copying = None if self._copy is None else asyncio.create_task(self._copy.run())
        try:
            await self._run()
        finally:
            if copying is not None:
                copying.cancel()
                await asyncio.gather(copying, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            try:
                await self.write_all()
                await self._write_progress()
            except (Unavailable, asyncpg.QueryCanceledError) as error:
                log.debug("run logs wait for the database", lines=self._held, error=str(error))
            except Exception:
                if not self._is_failing:  # once, and not twice a second
                    log.exception("run log not written", lines=self._held)
                self._is_failing = True
                self._drop_batch()
            else:
                self._is_failing = False
            await asyncio.sleep(REST_S)

    async def drain(self, patience_s: float = DRAIN_S) -> None:
        """Append what is left, but no longer than this. What is left then is lost."""
        try:
            async with asyncio.timeout(patience_s):
                await self.write_all()
                self._progress_at = float("-inf")
                await self._write_progress()
                if self._copy is not None:
                    await self._copy.copy_noted()
                    await self._copy.close()
        except (TimeoutError, Unavailable, asyncpg.QueryCanceledError):
            log.warning("lines of run logs not written before the end", lines=self._held)
        except Exception:
            log.exception("run log not written", lines=self._held)

    async def write_all(self) -> None:
        """Append everything in the buffer, one batch after another, and wake the readers."""
        newest: dict[int, int] = {}
        try:
            while (batch := self._next_batch()) is not None:
                number = await self._append(batch)
                if number is not None:
                    newest[batch.run_id] = number
        finally:
            if newest:
                with suppress(Unavailable):
                    await self._wake([LogPosition(*each) for each in newest.items()])

    def _next_batch(self) -> LineBatch | None:
        """The batch that was not acknowledged, or a new one; None if nothing waits."""
        if self._sending is not None:
            return self._sending
        run_id = next(iter(self._waiting), None)
        if run_id is None:
            run_id = next(iter(self._dropped.keys() | self._throttled.keys()), None)
        if run_id is None:
            return None
        waiting = self._waiting.pop(run_id, deque())
        lines = [
            line._replace(fields={**line.fields, **self._origin})
            for line in (waiting.popleft() for _ in range(min(AT_ONCE, len(waiting))))
        ]
        if waiting:
            self._waiting[run_id] = waiting  # the last of all runs, so that every run gets its turn
        self._batches += 1
        self._sending = LineBatch(
            run_id,
            self._id,
            self._batches,
            lines,
            dropped=self._dropped.pop(run_id, 0),
            throttled=self._throttled.pop(run_id, 0),
        )
        return self._sending

    async def _append(self, batch: LineBatch) -> int | None:
        """Append a batch, and begin the log of its run before the first one."""
        await self._begin(batch.run_id)
        try:
            number = await self._connection.run(
                lambda db: self._store.append(db, batch, self._options.most_lines), is_one_statement=True
            )
        except asyncpg.ForeignKeyViolationError:
            number = None  # the run is gone, and its log with it
        self._release_batch()
        return number

    def _release_batch(self) -> None:
        if self._sending is not None:
            self._held -= len(self._sending.lines)
            self._sending = None

    def _drop_batch(self) -> None:
        """Drop the batch that the database refuses, so that the next lines are not stuck behind it."""
        if (batch := self._sending) is not None:
            self._release_batch()
            self._dropped[batch.run_id] += len(batch.lines) + batch.dropped
            self._throttled[batch.run_id] += batch.throttled

    async def _begin(self, run_id: int) -> None:
        if run_id not in self._begun:
            await self._connection.run(lambda db: self._store.begin(db, run_id), is_one_statement=True)
            self._begun.add(run_id)

    async def _wake(self, positions: list[LogPosition]) -> None:
        if self._copy is not None:
            for position in positions:
                self._copy.note(position.run_id)
        await self._connection.run(lambda db: self._store.wake_readers(db, positions), is_one_statement=True)

    async def _write_progress(self) -> None:
        """Write a line about each run that this worker works for, if one is due."""
        now = time.monotonic()
        if self._run_counts is None or now - self._progress_at < PROGRESS_S:
            return
        self._progress_at = now
        for run_id in [run_id for run_id, at in self._worked_at.items() if now - at > FORGET_S]:
            del self._worked_at[run_id]
            self._begun.discard(run_id)
        for run_id in list(self._worked_at):
            await self._begin(run_id)
        written = await write_progress(
            self._connection, self._run_counts, list(self._worked_at), self._options
        )
        if written:
            await self._wake(written)
