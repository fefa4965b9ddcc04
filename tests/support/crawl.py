"""Crawls and watches as people run them, by command: interrupted, started again, killed piece by piece."""

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


class Run:
    """A command that works on a data directory. `with Watch(…) as run:` leaves nothing running."""

    def __init__(self, data: Path, *command: str, environment: Mapping[str, str] | None = None) -> None:
        self.data = data
        self._command = [sys.executable, "-m", "outrider", *command]
        self.environment = {**os.environ, **QUICK, **(environment or {}), "OUTRIDER_DATA": str(self.data)}
        # Beside the data: what fills their disk must not keep the command from speaking.
        self._output = self.data.parent / f"{self.data.name}.output"
        self._starts: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """The same command, as often as wanted."""
        self.data.mkdir(parents=True, exist_ok=True)
        with self._output.open("ab") as output:
            self._starts.append(
                subprocess.Popen(
                    self._command,
                    env=self.environment,
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
                if _says(child, "spawn_main"):
                    found.append(child)
                elif _says(child, "multiprocessing.forkserver"):
                    found += child.children()
        return found

    def kill_a_worker(self, dice: random.Random) -> int:
        """kill -9; returns how many died of it."""
        workers = self.workers()
        return _kill([dice.choice(workers)]) if workers else 0

    def kill_all_workers(self) -> int:
        return _kill(self.workers())

    def kill_postgres(self) -> int:
        return self._signal_server(signal.SIGKILL)

    def stop_postgres(self) -> int:
        """As an administrator would: connections are ended, everything is written, the server leaves."""
        return self._signal_server(signal.SIGINT)

    def kill_a_backend(self, dice: random.Random) -> int:
        """One connection's process: PostgreSQL then ends all others and recovers."""
        backends = [each for each in self.server_processes() if _says(each, "postgres: outrider outrider")]
        return _kill([dice.choice(backends)]) if backends else 0

    def kill_keeper(self) -> int:
        """Who would stop the server after its last user."""
        home = str(self.data / "database")
        return _kill([each for each in psutil.process_iter() if _says(each, "outrider.db.keeper", home)])

    def server_processes(self) -> list[psutil.Process]:
        """PostgreSQL itself and all it started."""
        server = postmaster.find(self.data / "database" / "data")
        with suppress(psutil.NoSuchProcess):
            if server is not None:
                first = psutil.Process(server.pid)
                return [first, *first.children(recursive=True)]
        return []

    def kill_supervisor(self) -> int:
        """Workers notice, write what they have and go; they are not killed with it."""
        self._starts[-1].kill()
        self._starts[-1].wait()
        return 1

    def _signal_server(self, number: signal.Signals) -> int:
        server = postmaster.find(self.data / "database" / "data")
        if server is None:
            return 0
        os.kill(server.pid, number)
        return 1

    def interrupt(self) -> int:
        """Ctrl-C, once; returns the exit code."""
        os.killpg(self.pid, signal.SIGINT)
        return self.wait(_DRAIN_S)

    def kill(self) -> None:
        """The command of every start with all its workers; PostgreSQL then leaves by itself."""
        for start in self._starts:
            with suppress(ProcessLookupError):
                os.killpg(start.pid, signal.SIGKILL)
            start.wait()

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
        self.kill()


class Crawl(Run):
    """`outrider crawl`, to the last page it can reach."""

    def __init__(
        self, data: Path, seeds: Sequence[str], *options: str, environment: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(data, "crawl", *seeds, "--depth", "-1", *options, environment=environment)


class Watch(Run):
    """`outrider watch --once`: until nothing more is due."""

    def __init__(self, data: Path, *options: str, environment: Mapping[str, str] | None = None) -> None:
        super().__init__(data, "watch", "--once", *options, environment=environment)


def _says(process: psutil.Process, *words: str) -> bool:
    """Does its command line have all of them?"""
    try:
        line = " ".join(process.cmdline())
    except psutil.Error:
        return False
    return all(word in line for word in words)


def _kill(processes: Sequence[psutil.Process]) -> int:
    killed = 0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
            killed += 1
    return killed
