"""Keeps worker processes alive, and frees the hosts of those that died."""

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
    """So many worker processes, started anew when they end without being asked."""

    def __init__(self, settings: Settings, dsn: str, count: int) -> None:
        self._settings = settings
        self._dsn = dsn
        self._count = count
        self._context = multiprocessing.get_context("spawn")
        self._farewells, self._say_farewell = self._context.Pipe(duplex=False)
        os.set_blocking(self._say_farewell.fileno(), False)  # a worker that ends does not wait to be heard
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
        """How many log lines could not be written by workers that have left since this was asked last."""
        self._listen()
        lost, self._lines_lost = self._lines_lost, 0
        return lost

    @property
    def is_hopeless(self) -> bool:
        """Workers fail one after another and nothing is written in between."""
        return self._restarts.are_hopeless

    @property
    def last_error(self) -> str | None:
        """What the last worker that failed said about it."""
        self._listen()
        return self._last_error

    def note_progress(self) -> None:
        """The crawl advances, or waits for the database: earlier failures of workers are forgotten."""
        self._restarts = self._restarts.after_progress()

    def keep_up(self) -> None:
        """Bury the dead and start what is missing. Call it often."""
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
        """Free the hosts of this machine's workers that ended without saying so; returns how many."""
        return await recover_dead_workers(db, self._settings.frontier, self._settings.fetch.timeout_s)

    async def stop(self, timeout_s: float) -> None:
        """Ask all to finish; those still there after the time are ended."""
        self._stopping = True
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await asyncio.gather(*(asyncio.to_thread(worker.join) for worker in self._workers))
        self.kill()

    def kill(self) -> None:
        """End all of them now. Nothing committed is lost; what was under way is fetched again."""
        self._stopping = True
        for worker in self._workers:
            if worker.is_alive():
                worker.kill()
        for worker in self._workers:
            worker.join(5)

    def _listen(self) -> None:
        while self._farewells.poll():
            farewell: ExitReport = self._farewells.recv()
            self._lines_lost += farewell.lines_lost
            self._last_error = farewell.error or self._last_error

    def _start_one(self, now: float) -> None:
        worker = self._context.Process(
            target=main,
            args=(self._settings, self._dsn, os.getpid(), self._say_farewell),
            name="outrider worker",
            daemon=False,
        )
        # Born with it blocked, a worker cannot die of the terminal's Ctrl-C before it gets to ignore it. The
        # tracker comes first, because starting one lifts the block. What a killed worker's readers shared it
        # clears away, which is nothing to warn of.
        os.environ.setdefault("PYTHONWARNINGS", "ignore::UserWarning:multiprocessing.resource_tracker")
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            worker.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        self._workers[worker] = now
