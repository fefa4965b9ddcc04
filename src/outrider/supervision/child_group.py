"""A number of child processes of one kind, started again when they end on their own."""

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

from outrider.logs import get_logger
from outrider.supervision.child import ExitReport
from outrider.supervision.restarts import Restarts

log = get_logger()


class ChildGroup:
    """Runs processes of one kind. `replace_ended()` has to be called often.

    Each process calls `target(*args, pid of this process, connection for its ExitReport)`.
    """

    def __init__(
        self, name: str, count: int, target: Callable[..., None], args: Sequence[Any], *, gives_up: bool
    ) -> None:
        """With `gives_up`, processes that fail one after another are not started for ever."""
        self.name = name
        self._count = count
        self._target = target
        self._args = tuple(args)
        self._gives_up = gives_up
        self._context = multiprocessing.get_context("spawn")
        self._reports, self._report_writer = self._context.Pipe(duplex=False)
        os.set_blocking(self._report_writer.fileno(), False)  # an ending process does not wait for the reader
        self._lines_lost = 0
        self._last_error: str | None = None
        self._processes: dict[BaseProcess, float] = {}
        self._restarts = Restarts()
        self._start_after = 0.0
        self._stopping = False
        self.deaths = 0

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self._processes if process.pid is not None]

    @property
    def is_hopeless(self) -> bool:
        """Whether processes fail one after another, without progress in between."""
        return self._gives_up and self._restarts.are_hopeless

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
        """Forget earlier failures: the work advances, or waits for the database."""
        self._restarts = self._restarts.after_progress()

    def replace_ended(self) -> list[int]:
        """Remove ended processes and start missing ones. Returns the ids of those that ended."""
        now = time.monotonic()
        ended = [process for process in self._processes if not process.is_alive()]
        for process in ended:
            started = self._processes.pop(process)
            if self._stopping:
                continue
            self.deaths += 1
            log.warning(f"{self.name} died", pid=process.pid, exit_code=process.exitcode)
            self._restarts = self._restarts.after(now - started, process.exitcode)
            self._start_after = now + self._restarts.pause_s
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
            report: ExitReport = self._reports.recv()
            self._lines_lost += report.lines_lost
            self._last_error = report.error or self._last_error

    def _start_one(self, now: float) -> None:
        process = self._context.Process(
            target=self._target,
            args=(*self._args, os.getpid(), self._report_writer),
            name=f"outrider {self.name}",
            daemon=False,
        )
        # The process starts with SIGINT blocked: Ctrl-C cannot end it before it ignores the signal. The
        # resource tracker starts first, because its start lifts the block. The tracker frees what the readers
        # of a killed worker shared; its warning about that is switched off.
        os.environ.setdefault("PYTHONWARNINGS", "ignore::UserWarning:multiprocessing.resource_tracker")
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        self._processes[process] = now
