"""What a read of the server costs on a large database: the time in the server, and the CPU."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import aiohttp
import asyncpg
import psutil
from benchmarks.api_server import TOOK
from benchmarks.place import scratch
from benchmarks.processes import ROOT, cpu_s, server_cpu_s, server_process

from outrider.db import migrate
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.postmaster import find
from outrider.documents.packing import pack
from outrider.frontier.counter_folding import fold_counters
from outrider.watch.discovery.domain_sums import sum_domains

URLS, HOSTS, SOURCES, JOBS, RUNS, DOCUMENTS = 1_000_000, 50_000, 2_000, 10_000, 100_000, 200_000
TIMES, WARM_UP = 100, 5


@dataclass(frozen=True, slots=True)
class ReadCost:
    """What one read takes: the time in the server, and the CPU of the server and of PostgreSQL."""

    path: str
    status: int
    kilobytes: float
    median_ms: float
    p99_ms: float
    server_cpu_ms: float
    postgres_cpu_ms: float

    @property
    def cpu_ms(self) -> float:
        return self.server_cpu_ms + self.postgres_cpu_ms

    @property
    def name(self) -> str:
        """The path, with the status of an answer that is not 200."""
        return self.path if self.status == 200 else f"{self.path} ({self.status})"

    @property
    def cells(self) -> tuple[str, ...]:
        """The figures as a table shows them: median, 99th percentile, and the CPU of both servers."""
        return tuple(
            f"{each:.1f}" for each in (self.median_ms, self.p99_ms, self.server_cpu_ms, self.postgres_cpu_ms)
        )

    def verdict(self, median_ms: float, longest_ms: float) -> str:
        """The budget is judged by CPU time as well: others who use the machine make every request wait."""
        if self.median_ms <= median_ms and self.p99_ms <= longest_ms:
            return ""
        return "machine busy" if self.cpu_ms <= median_ms else "over"


class FilledDatabase(NamedTuple):
    """A database as `fill` makes it, with a folder for files and the process of its server."""

    dsn: str
    folder: Path
    postmaster: int | None


@asynccontextmanager
async def filled_database() -> AsyncIterator[FilledDatabase]:
    """A filled database of its own, removed at the end."""
    with scratch() as folder, EmbeddedPostgres(folder / "reads", {}) as server:
        await fill(server.dsn)
        found = find(folder / "reads" / "database" / "data") or find(folder / "reads" / "data")
        yield FilledDatabase(server.dsn, folder, None if found is None else found.pid)


async def fill(dsn: str) -> None:
    """The database of an installation that has been used for a long time."""
    text = pack("A paragraph of a page that people read.\n" * 60).hex()
    db = await asyncpg.connect(dsn)
    try:
        await migrate.up(db)
        for name, numbers in (
            ("fill.sql", {"urls": URLS, "hosts": HOSTS}),
            ("fill_jobs.sql", {"jobs": SOURCES}),
            ("fill_api.sql", {"jobs": JOBS, "runs": RUNS, "documents": DOCUMENTS, "text": text}),
            ("fill_sites.sql", {}),
        ):
            await db.execute((ROOT / "benchmarks" / name).read_text().format(**numbers))
        await fold_counters(db, _lead)
        await db.execute("VACUUM ANALYZE")
    finally:
        await db.close()


class ReadMeter:
    """Measures reads of one server process."""

    def __init__(
        self, client: aiohttp.ClientSession, process: psutil.Process, postmaster: int | None
    ) -> None:
        self.client = client
        self._process = process
        self._postmaster = postmaster

    async def cost(self, path: str, headers: Iterator[Mapping[str, str]]) -> ReadCost:
        """Read a path many times, one request after the other, each with the next headers."""
        took_ms: list[float] = []
        status, size = 0, 0
        server_s = postgres_s = 0.0
        for nth in range(WARM_UP + TIMES):
            if nth == WARM_UP:
                server_s, postgres_s = self._server_s(), self._postgres_s()
            async with self.client.get(path, headers=next(headers), allow_redirects=False) as answer:
                size = len(await answer.read())
                status = answer.status
                if nth >= WARM_UP:
                    took_ms.append(float(answer.headers[TOOK]))
        return ReadCost(
            path=path,
            status=status,
            kilobytes=size / 1000,
            median_ms=median(took_ms),
            p99_ms=quantiles(took_ms, n=100)[-1],
            server_cpu_ms=(self._server_s() - server_s) / TIMES * 1000,
            postgres_cpu_ms=(self._postgres_s() - postgres_s) / TIMES * 1000,
        )

    def _server_s(self) -> float:
        return cpu_s([self._process])

    def _postgres_s(self) -> float:
        return 0.0 if self._postmaster is None else server_cpu_s(self._postmaster)


@asynccontextmanager
async def meter(dsn: str, folder: Path, postmaster: int | None) -> AsyncIterator[ReadMeter]:
    """A server process of its own, and what measures its reads. The leader has just done its duty."""
    db = await asyncpg.connect(dsn)
    try:
        await sum_domains(db, _lead, datetime.now(UTC))
    finally:
        await db.close()
    with server_process("benchmarks.api_server", dsn, str(folder / "server")) as (process, port):
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", auto_decompress=False) as client:
            yield ReadMeter(client, process, postmaster)


async def _lead(db: asyncpg.Connection) -> None:
    """The bench is the only one who leads."""
