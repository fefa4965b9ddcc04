"""Keeps worker processes alive, and frees the hosts of dead ones."""

import asyncio
import multiprocessing
import os
import signal
import time
from contextlib import suppress
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess

import asyncpg

from outrider.logs import get_logger
from outrider.settings import Settings
from outrider.workers.process import ExitReport, main
from outrider.workers.recovery import recover_dead_workers
from outrider.workers.restarts import Restarts

log = get_logger()


class Supervisor:
    """Runs a number of worker processes and restarts those that end on their own."""

    def __init__(self, settings: Settings, dsn: str, count: int) -> None:
        self._settings = settings
        self._dsn = dsn
        self._count = count
        self._context = multiprocessing.get_context("spawn")
        self._exit_reports, self._exit_report_writer = self._context.Pipe(duplex=False)
        os.set_blocking(
            self._exit_report_writer.fileno(), False
        )  # an ending worker does not wait for the reader
        self._lines_lost = 0
        self._last_error: str | None = None
        self._workers: dict[BaseProcess, float] = {}
        self._restarts = Restarts()
        self._start_after = 0.0
        self._stopping = False
        self.deaths = 0

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def lines_lost(self) -> int:
        """How many log lines were lost by the workers that ended since the last call."""
        self._read_exit_reports()
        lost, self._lines_lost = self._lines_lost, 0
        return lost

    @property
    def is_hopeless(self) -> bool:
        """Whether workers fail one after another and nothing is written in between."""
        return self._restarts.are_hopeless

    @property
    def last_error(self) -> str | None:
        """The error that the last failed worker reported."""
        self._read_exit_reports()
        return self._last_error

    def note_progress(self) -> None:
        """Forget earlier failures of workers: the crawl advances, or waits for the database."""
        self._restarts = self._restarts.after_progress()

    def replace_ended_workers(self) -> None:
        """Remove ended workers and start missing ones. Call it often."""
        now = time.monotonic()
        for worker in [worker for worker in self._workers if not worker.is_alive()]:
            started = self._workers.pop(worker)
            if self._stopping:
                continue
            self.deaths += 1
            log.warning("worker died", pid=worker.pid, exit_code=worker.exitcode)
            self._restarts = self._restarts.after(now - started, worker.exitcode)
            self._start_after = now + self._restarts.pause_s
        while (
            not (self._stopping or self.is_hopeless)
            and len(self._workers) < self._count
            and now >= self._start_after
        ):
            self._start_one(now)

    async def recover(self, db: asyncpg.Connection) -> int:
        """Free the hosts of this machine's dead workers; returns how many workers."""
        freed = await recover_dead_workers(db, self._settings.frontier, self._settings.fetch.timeout_s)
        return freed.workers

    async def stop(self, timeout_s: float) -> None:
        """Ask all workers to finish, and kill those that still run after the timeout."""
        self._stopping = True
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await asyncio.gather(*(asyncio.to_thread(worker.join) for worker in self._workers))
        self.kill()

    def kill(self) -> None:
        """Kill all workers. Nothing committed is lost; requests under way are made again later."""
        self._stopping = True
        for worker in self._workers:
            if worker.is_alive():
                worker.kill()
        for worker in self._workers:
            worker.join(5)

    def _read_exit_reports(self) -> None:
        while self._exit_reports.poll():
            report: ExitReport = self._exit_reports.recv()
            self._lines_lost += report.lines_lost
            self._last_error = report.error or self._last_error

    def _start_one(self, now: float) -> None:
        worker = self._context.Process(
            target=main,
            args=(self._settings, self._dsn, os.getpid(), self._exit_report_writer),
            name="outrider worker",
            daemon=False,
        )
        # The worker starts with SIGINT blocked: Ctrl-C cannot end it before it ignores the signal. The
        # resource tracker starts first, because its start lifts the block. The tracker frees what the readers
        # of a killed worker shared; its warning about that is switched off.
        os.environ.setdefault("PYTHONWARNINGS", "ignore::UserWarning:multiprocessing.resource_tracker")
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            worker.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        self._workers[worker] = now
