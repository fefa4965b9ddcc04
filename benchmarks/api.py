"""What reading over the API costs on a large database: every GET, on the real application and server."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles

import aiohttp
import asyncpg
import psutil
from argon2 import PasswordHasher
from benchmarks.api_requests import Samples, requests_of, unmeasured
from benchmarks.api_server import TOOK
from benchmarks.place import scratch
from benchmarks.processes import cpu_s, server_cpu_s
from benchmarks.report import Report

from outrider.auth.audit import shell_actor
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords
from outrider.db import migrate
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.postmaster import find
from outrider.documents.packing import pack
from outrider.services.api_tokens import TokenRequest, create_api_token
from outrider.services.users import add_user

URLS, HOSTS, SOURCES, JOBS, RUNS, DOCUMENTS = 1_000_000, 50_000, 2_000, 10_000, 100_000, 200_000
TIMES, WARM_UP = 100, 5
ADMINS = 40  # each has a rate limit of its own
MEDIAN_MS, LONGEST_MS = 20.0, 100.0  # the budget: of the median and of the 99th percentile
ROOT = Path(__file__).resolve().parents[1]


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
    def verdict(self) -> str:
        """The budget is judged by CPU time as well: others who use the machine make every request wait."""
        if self.median_ms <= MEDIAN_MS and self.p99_ms <= LONGEST_MS:
            return ""
        return "machine busy" if self.cpu_ms <= MEDIAN_MS else "over"


def report() -> Report:
    """Fill a database, then measure every read."""
    costs = asyncio.run(_measure())
    return Report(
        name="api",
        title=f"Reads of the API in ms: {URLS:,} URLs, {JOBS:,} jobs, {RUNS:,} executions",
        columns=("read", "kB", "median", "p99", "CPU of the API", "CPU of PostgreSQL", "budget"),
        rows=[
            (
                cost.path if cost.status == 200 else f"{cost.path} ({cost.status})",
                f"{cost.kilobytes:.1f}",
                f"{cost.median_ms:.1f}",
                f"{cost.p99_ms:.1f}",
                f"{cost.server_cpu_ms:.1f}",
                f"{cost.postgres_cpu_ms:.1f}",
                cost.verdict,
            )
            for cost in costs
        ],
        remarks=[
            f"The budget is {MEDIAN_MS:.0f} ms at the median and {LONGEST_MS:.0f} ms at the 99th percentile "
            f"of {TIMES} requests, one after the other. `over`: the CPU time is over the budget, too.",
        ],
        figures=[asdict(cost) for cost in costs],
    )


async def _measure() -> list[ReadCost]:
    with scratch() as folder, EmbeddedPostgres(folder / "api", {}) as server:
        await fill(server.dsn)
        postmaster = find(folder / "api" / "database" / "data") or find(folder / "api" / "data")
        return await measure(server.dsn, folder, None if postmaster is None else postmaster.pid)


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
        ):
            await db.execute((ROOT / "benchmarks" / name).read_text().format(**numbers))
        await db.execute("VACUUM ANALYZE")
    finally:
        await db.close()


async def measure(dsn: str, folder: Path, postmaster: int | None, only: str = "") -> list[ReadCost]:
    """Every read on a filled database; `only` is a part of the path."""
    db = await asyncpg.connect(dsn)
    try:
        tokens = cycle(await _tokens(db))
        samples = await Samples.read(db)
    finally:
        await db.close()
    if missing := unmeasured():
        raise RuntimeError(f"these reads are not measured: {', '.join(missing)}")
    with _server(dsn, folder) as (process, port):
        async with _client(port) as client:
            return [
                await _cost(client, path, tokens, process, postmaster)
                for path in requests_of(samples)
                if only in path
            ]


async def _cost(
    client: aiohttp.ClientSession,
    path: str,
    tokens: Iterator[str],
    process: psutil.Process,
    postmaster: int | None,
) -> ReadCost:
    took_ms: list[float] = []
    status, size = 0, 0
    server_s = postgres_s = 0.0
    for nth in range(WARM_UP + TIMES):
        if nth == WARM_UP:
            server_s, postgres_s = cpu_s([process]), _postgres_s(postmaster)
        async with client.get(path, headers={"Authorization": f"Bearer {next(tokens)}"}) as answer:
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
        server_cpu_ms=(cpu_s([process]) - server_s) / TIMES * 1000,
        postgres_cpu_ms=(_postgres_s(postmaster) - postgres_s) / TIMES * 1000,
    )


def _postgres_s(postmaster: int | None) -> float:
    return 0.0 if postmaster is None else server_cpu_s(postmaster)


async def _tokens(db: asyncpg.Connection) -> Sequence[str]:
    """API tokens of administrators. The passwords are never used, so they are hashed quickly."""
    passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    actor, made = shell_actor("bench"), []
    for number in range(ADMINS):
        name = f"bench-{number}-{datetime.now(UTC):%H%M%S%f}"
        await add_user(db, actor, name, "a password of the benchmark", Role.ADMIN, passwords)
        token = await create_api_token(db, actor, TokenRequest("bench", name), datetime.now(UTC))
        made.append(token.key)
    return made


@contextmanager
def _server(dsn: str, folder: Path) -> Iterator[tuple[psutil.Process, int]]:
    command = [sys.executable, "-m", "benchmarks.api_server", dsn, str(folder / "server")]
    started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert started.stdout is not None
        yield psutil.Process(started.pid), int(started.stdout.readline())
    finally:
        started.kill()
        started.wait()


@asynccontextmanager
async def _client(port: int) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client:
        yield client
