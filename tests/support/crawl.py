"""A crawl as people run it, by command: to be interrupted, started again, and killed piece by piece."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import asyncpg
import psutil

from outrider.db import postmaster
from outrider.db.embedded import EmbeddedPostgres

# A short lease and timeout, so that what a crash leaves behind is over within seconds.
QUICK = {
    "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
    "OUTRIDER_TIMEOUT": "2",
    "OUTRIDER_LEASE": "6",
    "OUTRIDER_DEPTH_CAP": "1000",
}
_DRAIN_S = 60.0


class Crawl:
    """`outrider crawl` on a data directory. `with Crawl(…) as crawl:` leaves nothing running."""

    def __init__(
        self, data: Path, seeds: Sequence[str], *options: str, environment: Mapping[str, str] | None = None
    ) -> None:
        self.data = data
        self._command = [sys.executable, "-m", "outrider", "crawl", *seeds, "--depth", "-1", *options]
        self._environment = {**os.environ, **QUICK, **(environment or {}), "OUTRIDER_DATA": str(self.data)}
        self._output = self.data / "output"
        self._starts: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """The same command, as often as wanted."""
        self.data.mkdir(parents=True, exist_ok=True)
        with self._output.open("ab") as output:
            self._starts.append(
                subprocess.Popen(
                    self._command,
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )

    @property
    def pid(self) -> int:
        """Of the command itself, which supervises the workers."""
        return self._starts[-1].pid

    @property
    def is_running(self) -> bool:
        return self._starts[-1].poll() is None

    def workers(self) -> list[psutil.Process]:
        """The worker processes of the latest start."""
        found = []
        with suppress(psutil.NoSuchProcess):
            for child in psutil.Process(self.pid).children():
                with suppress(psutil.NoSuchProcess):
                    if any("spawn_main" in argument for argument in child.cmdline()):
                        found.append(child)
        return found

    def kill_a_worker(self, dice: random.Random) -> int:
        """kill -9; returns how many died of it."""
        workers = self.workers()
        return _kill([dice.choice(workers)]) if workers else 0

    def kill_all_workers(self) -> int:
        return _kill(self.workers())

    def kill_postgres(self) -> int:
        server = postmaster.find(self.data / "database" / "data")
        if server is None:
            return 0
        os.kill(server.pid, signal.SIGKILL)
        return 1

    def kill_supervisor(self) -> int:
        """Workers notice, write what they have and go; they are not killed with it."""
        self._starts[-1].kill()
        self._starts[-1].wait()
        return 1

    def interrupt(self) -> int:
        """Ctrl-C, once; returns the exit code."""
        os.killpg(self.pid, signal.SIGINT)
        return self.wait(_DRAIN_S)

    def wait(self, timeout_s: float) -> int:
        return self._starts[-1].wait(timeout_s)

    def output(self) -> str:
        """All that was said so far."""
        return self._output.read_text(errors="replace")

    @asynccontextmanager
    async def database(self) -> AsyncIterator[asyncpg.Connection]:
        """What is in the database, now."""
        with EmbeddedPostgres(self.data, {}) as server:
            connection = await asyncpg.connect(server.dsn)
            try:
                yield connection
            finally:
                await connection.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for start in self._starts:
            with suppress(ProcessLookupError):
                os.killpg(start.pid, signal.SIGKILL)
            start.wait()


def _kill(processes: Sequence[psutil.Process]) -> int:
    killed = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
            killed += 1
    return killed
