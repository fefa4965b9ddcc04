"""A number of child processes of one kind, started again when they end on their own."""

import asyncio
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from typing import Any

from outrider.logs import get_logger
from outrider.supervision.child import ChildReport, SentFile, enter
from outrider.supervision.fork_server import interrupts_blocked
from outrider.supervision.restarts import ProcessEnd, Restarts

log = get_logger()


class ChildGroup:
    """Runs processes of one kind. `replace_ended()` has to be called often.

    Each process calls `target`, as "module:function", with `args` and its `SupervisorLink`.
    """

    def __init__(
        self,
        name: str,
        count: int,
        target: str,
        args: Sequence[Any],
        *,
        gives_up: bool,
        context: BaseContext | None = None,
    ) -> None:
        """With `gives_up`, processes that fail one after another are not started for ever.

        The `context` starts them; without it each is a new Python.
        """
        self.name = name
        self._count = count
        self._target = target
        self._args = tuple(args)
        self._gives_up = gives_up
        self._context = context or multiprocessing.get_context("spawn")
        self._reports, self._report_writer = self._context.Pipe(duplex=False)
        os.set_blocking(self._report_writer.fileno(), False)  # an ending process does not wait for the reader
        self._lines_lost = 0
        self._last_error: str | None = None
        self._processes: dict[BaseProcess, float] = {}
        self._ready: set[int] = set()  # pids of processes that have begun their work
        self._restarts = Restarts()
        self._start_after = 0.0
        self._stopping = False
        self.deaths = 0

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._processes if process.pid is not None]

    @property
    def is_hopeless(self) -> bool:
        """Whether processes fail one after another, without progress in between.

        While one process works, the others may fail at their start.
        """
        return self._gives_up and (
            self._restarts.have_no_progress or (not self._ready and self._restarts.cannot_start(self._count))
        )

    @property
    def is_working(self) -> bool:
        """Whether a process has begun its work."""
        self._read_reports()
        return bool(self._ready)

    @property
    def is_failing(self) -> bool:
        """Whether processes fail before they begin their work, and no other process works."""
        return bool(self._restarts.failed_starts and not self._ready)

    @property
    def pause_s(self) -> float:
        """The pause before the next start of a process that ended."""
        return self._restarts.pause_s

    @property
    def last_error(self) -> str | None:
        """The error that the last failed process reported."""
        self._read_reports()
        return self._last_error

    def lines_lost(self) -> int:
        """How many log lines were lost by the processes that ended since the last call."""
        self._read_reports()
        lost, self._lines_lost = self._lines_lost, 0
        return lost

    def note_progress(self) -> None:
        """Forget earlier failures: the work advances."""
        self._restarts = self._restarts.after_progress()

    def note_away(self) -> None:
        """Forget all failures: the database is away, so that no process can work."""
        self._restarts = self._restarts.while_away()

    def replace_ended(self) -> list[int]:
        """Remove ended processes and start missing ones. Returns the ids of those that ended."""
        now = time.monotonic()
        ended = [process for process in self._processes if not process.is_alive()]
        self._read_reports()
        ends = [self._end_of(process, now) for process in ended]
        if ends and not self._stopping:
            self._note_ends(ends, now)
        while (
            not (self._stopping or self.is_hopeless)
            and len(self._processes) < self._count
            and now >= self._start_after
        ):
            self._start_one(now)
        return [process.pid for process in ended if process.pid is not None]

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to every process."""
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    async def stop(self, timeout_s: float) -> bool:
        """Ask all processes to finish, and kill those that still run after the timeout.

        Returns whether all of them finished.
        """
        self._stopping = True
        self.signal(signal.SIGTERM)
        in_time = True
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.gather(*(asyncio.to_thread(process.join) for process in self._processes))
        except TimeoutError:
            in_time = False
        self.kill()
        return in_time

    def kill(self) -> None:
        """Kill all processes. Nothing committed is lost; requests under way are made again later."""
        self._stopping = True
        for process in self._processes:
            if process.is_alive():
                process.kill()
        for process in self._processes:
            process.join(5)

    def _read_reports(self) -> None:
        while self._reports.poll():
            report: ChildReport = self._reports.recv()
            if report.is_ready:
                self._ready.add(report.pid)
                self._restarts = self._restarts.after_start()
            self._lines_lost += report.lines_lost
            self._last_error = report.error or self._last_error

    def _end_of(self, process: BaseProcess, now: float) -> ProcessEnd:
        """Forget an ended process."""
        started, pid = self._processes.pop(process), process.pid or 0
        end = ProcessEnd(now - started, process.exitcode, pid in self._ready)
        self._ready.discard(pid)
        if not self._stopping:
            log.warning(f"{self.name} died", pid=pid, exit_code=end.exit_code, was_ready=end.was_ready)
        return end

    def _note_ends(self, ends: Sequence[ProcessEnd], now: float) -> None:
        self.deaths += len(ends)
        self._restarts = self._restarts.after(ends)
        self._start_after = now + self._restarts.pause_s

    def _start_one(self, now: float) -> None:
        process = self._context.Process(  # type: ignore[attr-defined]  # every context has it
            target=enter,
            args=(self._target, self._args, _StandardError(), self._report_writer),
            name=f"outrider {self.name}",
            daemon=False,
        )
        try:
            with interrupts_blocked():
                process.start()
        except (OSError, EOFError) as error:  # the fork server died, or the system allows no more processes
            self._last_error = f"{type(error).__name__}: {error}"
            self._note_ends([ProcessEnd(0.0, None, was_ready=False)], now)
        else:
            self._processes[process] = now


class _StandardError:
    """Standard error of this process, on its way to a process that it starts."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (DupFd(2) if sys.stderr else None,)


def _received(file: SentFile | None) -> SentFile | None:
    return file
