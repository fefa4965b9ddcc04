"""A crawl by one worker whose PostgreSQL is told apart by what a connection is for.

A statement's time would not do: it has in it how long it waited for others, which is no work.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import psutil
from benchmarks.crawlers import Outrider, OutriderRunning
from benchmarks.processes import cpu_s
from benchmarks.profile.queueing import ran_and_waited
from tests.support.web import Web

from outrider.db.embedded import EmbeddedPostgres

CONNECTIONS = {  # of a worker, as outrider.workers.process names them
    "outrider claim": "PostgreSQL: claim",
    "outrider flush": "PostgreSQL: flush and release",
}
OTHERS = "PostgreSQL: its log, vacuum, heartbeats and the like"


@dataclass(frozen=True, slots=True)
class OutriderByConnection:
    workers: int = 1
    name: str = "Outrider"

    @contextmanager
    def crawl(self, web: Web, folder: Path) -> Iterator["ByConnection"]:
        with (
            Outrider(self.workers).crawl(web, folder) as running,
            EmbeddedPostgres(folder / "crawl", {}) as server,
        ):
            yield ByConnection(running, server.dsn)


class ByConnection:
    def __init__(self, running: OutriderRunning, dsn: str) -> None:
        self._running = running
        self._dsn = dsn
        self._backends: dict[str, psutil.Process] = {}

    @property
    def is_running(self) -> bool:
        return self._running.is_running

    def cpu_s(self) -> dict[str, float]:
        if len(self._backends) < len(CONNECTIONS):
            self._backends = asyncio.run(backends(self._dsn))
        spent = self._running.cpu_s()
        server = spent.pop("PostgreSQL")
        parts = {part: _cpu_s(process) for part, process in self._backends.items()}
        return {**spent, **parts, OTHERS: server - sum(parts.values())}

    def processes(self) -> Sequence[psutil.Process]:
        return self._running.processes()

    def check(self) -> None:
        self._running.check()


def _cpu_s(process: psutil.Process) -> float:
    """To the nanosecond where the system tells: a claim takes less than the 10 ms it else counts in."""
    return ran_and_waited(process.pid)[0] or cpu_s([process])


async def backends(dsn: str) -> dict[str, psutil.Process]:
    """The server's process for each kind of connection there is by now."""
    db = await asyncpg.connect(dsn)
    try:
        rows = await db.fetch("SELECT application_name, pid FROM pg_stat_activity")
    finally:
        await db.close()
    return {CONNECTIONS[name]: psutil.Process(pid) for name, pid in rows if name in CONNECTIONS}
