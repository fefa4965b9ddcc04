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
import structlog

from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.settings import Settings
from outrider.workers.machine import is_alive, machine_id
from outrider.workers.process import main

log = structlog.get_logger(__name__)

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
STEADY_S = 60.0  # a worker that lived this long died of something new


class Supervisor:
    """So many worker processes, started anew when they end without being asked."""

    def __init__(self, settings: Settings, dsn: str, count: int) -> None:
        self._settings = settings
        self._dsn = dsn
        self._count = count
        self._frontier = FrontierStore(settings.frontier)
        self._stats = StatsStore()
        self._context = multiprocessing.get_context("spawn")
        self._losses, self._report_losses = self._context.Pipe(duplex=False)
        os.set_blocking(self._report_losses.fileno(), False)  # nobody stays alive to report
        self._workers: dict[BaseProcess, float] = {}
        self._pause_s = FIRST_PAUSE_S
        self._start_after = 0.0
        self._stopping = False
        self.deaths = 0

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def lines_lost(self) -> int:
        """How many log lines could not be written by workers that have left since this was asked last."""
        lost = 0
        while self._losses.poll():
            lost += self._losses.recv()
        return lost

    def keep_up(self) -> None:
        """Bury the dead and start what is missing. Call it often."""
        now = time.monotonic()
        for worker in [worker for worker in self._workers if not worker.is_alive()]:
            started = self._workers.pop(worker)
            if self._stopping:
                continue
            self.deaths += 1
            log.warning("worker died", pid=worker.pid, exit_code=worker.exitcode)
            was_steady = now - started > STEADY_S
            self._pause_s = FIRST_PAUSE_S if was_steady else min(self._pause_s * 2, LONGEST_PAUSE_S)
            self._start_after = now + self._pause_s
        while not self._stopping and len(self._workers) < self._count and now >= self._start_after:
            self._start_one(now)

    async def recover(self, db: asyncpg.Connection) -> int:
        """Free the hosts of this machine's workers that ended without saying so; returns how many."""
        lost = 0
        for worker_id, pid in await self._stats.unaccounted(db, machine_id()):
            if is_alive(pid):
                continue
            hosts = await self._frontier.recover_worker(db, worker_id, self._settings.fetch.timeout_s)
            await FrontierStore(self._settings.frontier, worker_id).leave(db)
            log.info("hosts freed", worker_id=worker_id, hosts=hosts)
            lost += 1
        return lost

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

    def _start_one(self, now: float) -> None:
        worker = self._context.Process(
            target=main,
            args=(self._settings, self._dsn, os.getpid(), self._report_losses),
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
