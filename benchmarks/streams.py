"""What open streams cost a server: a thousand clients that each get two events a second."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from statistics import median

import asyncpg
import psutil
from benchmarks.place import scratch
from benchmarks.processes import cpu_s, rss_mb, server_cpu_s, server_process
from benchmarks.report import Report
from benchmarks.stream_server import allow_many_files

from outrider.db import migrate
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.postmaster import find
from outrider.events.log import write_events
from outrider.events.notify import CHANNEL
from outrider.events.record import NewEvent

CLIENTS = 1_000
SECONDS = 20.0
EVERY_S = 0.5
LATE_S = 30.0
OPEN_AT_ONCE = 100

_NUMBER = re.compile(rb'"number":([0-9]+)')
_REQUEST = b"GET /sse/crawler/events HTTP/1.1\r\nHost: bench\r\n\r\n"


@dataclass(frozen=True, slots=True)
class StreamCost:
    """What so many streams took for so long."""

    clients: int
    seconds: float
    events: int
    lost: int
    duplicates: int
    server_percent: float  # of a core
    postgres_percent: float
    server_mb: float
    median_ms: float
    longest_ms: float


class _Client(asyncio.Protocol):
    """Notes when each event came. Nothing is parsed but its number."""

    def __init__(self) -> None:
        self.came: dict[int, float] = {}
        self.duplicates = 0
        self.is_connected = asyncio.Event()
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(_REQUEST)

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        text = self._rest + data
        whole, _, self._rest = text.rpartition(b"\n\n")
        if b"event: connected" in whole:
            self.is_connected.set()
        for number in map(int, _NUMBER.findall(whole)):
            self.duplicates += number in self.came
            self.came.setdefault(number, now)


def report() -> Report:
    """Measure once."""
    allow_many_files()
    cost = asyncio.run(_measure())
    row = (
        f"{cost.clients:,}",
        f"{cost.events:,}",
        str(cost.lost),
        str(cost.duplicates),
        f"{cost.server_percent:.1f} %",
        f"{cost.postgres_percent:.1f} %",
        f"{cost.server_mb:.0f}",
        f"{cost.median_ms:.0f}",
        f"{cost.longest_ms:.0f}",
    )
    columns = ("streams", "events", "lost", "twice", "server", "PostgreSQL", "MB", "median ms", "longest ms")
    return Report(
        name="streams",
        title=f"Open streams, {1 / EVERY_S:g} events a second each, for {cost.seconds:.0f} s",
        columns=columns,
        rows=[row],
        remarks=[
            "The CPU is in percent of a core; the goal is under 50 % for the server. The time is from the "
            "commit of an event to its arrival; the clients share the machine."
        ],
        figures=[asdict(cost)],
    )


async def _measure() -> StreamCost:
    async with followed() as opened:
        return await _follow(opened)


@dataclass(frozen=True, slots=True)
class Followed:
    """A database and the clients that follow its events through a server process."""

    db: asyncpg.Connection
    clients: list["_Client"]
    server: psutil.Process
    postmaster_pid: int

    def cpu_s(self) -> dict[str, float]:
        """CPU seconds so far, by part; the clients are this process."""
        return {
            "server": cpu_s([self.server]),
            "PostgreSQL": server_cpu_s(self.postmaster_pid),
            "clients": cpu_s([psutil.Process()]),
        }


@asynccontextmanager
async def followed() -> AsyncIterator[Followed]:
    """Everything is open and connected; it ends with the context."""
    with scratch() as folder, EmbeddedPostgres(folder / "streams", {}) as server:
        async with _followed_on(server.dsn) as (db, clients, process):
            postmaster = find(folder / "streams" / "database" / "data") or find(folder / "streams" / "data")
            if postmaster is None:
                raise RuntimeError("PostgreSQL is gone")
            yield Followed(db, clients, process, postmaster.pid)


@asynccontextmanager
async def _followed_on(
    dsn: str,
) -> AsyncIterator[tuple[asyncpg.Connection, list["_Client"], psutil.Process]]:
    db = await asyncpg.connect(dsn)
    try:
        await migrate.up(db)
        with server_process("benchmarks.stream_server", dsn, str(CLIENTS)) as (process, port):
            yield db, await _connected(port), process
    finally:
        await db.close()


async def write_one(db: asyncpg.Connection, number: int) -> float:
    """Write one event and wake the server; returns when it was committed."""
    await write_events(db, [NewEvent("job.progress", "bench", {"number": number, "items_done": number})])
    written_at = time.perf_counter()
    await db.execute("SELECT pg_notify($1, '')", CHANNEL)
    return written_at


async def _connected(port: int) -> list[_Client]:
    clients: list[_Client] = []
    loop = asyncio.get_running_loop()
    while len(clients) < CLIENTS:
        made = await asyncio.gather(
            *(loop.create_connection(_Client, "127.0.0.1", port) for _ in range(OPEN_AT_ONCE))
        )
        fresh = [client for _, client in made]
        async with asyncio.timeout(LATE_S):
            await asyncio.gather(*(client.is_connected.wait() for client in fresh))
        clients += fresh
    return clients


async def wait_for_all(clients: list[_Client], events: int) -> None:
    """Wait until every client has every event, but not for ever."""
    for _ in range(round(LATE_S / EVERY_S)):
        if all(len(client.came) == events for client in clients):
            return
        await asyncio.sleep(EVERY_S)


async def _follow(opened: Followed) -> StreamCost:
    clients, before, written = opened.clients, opened.cpu_s(), []
    began = time.perf_counter()
    while (now := time.perf_counter()) - began < SECONDS:
        written.append(await write_one(opened.db, len(written)))
        await asyncio.sleep(max(0.0, EVERY_S - (time.perf_counter() - now)))
    took_s = time.perf_counter() - began
    used_s = {part: after - before[part] for part, after in opened.cpu_s().items()}
    await wait_for_all(clients, len(written))
    waits_ms = [(at - written[number]) * 1000 for client in clients for number, at in client.came.items()]
    return StreamCost(
        clients=len(clients),
        seconds=took_s,
        events=len(written) * len(clients),
        lost=sum(len(written) - len(client.came) for client in clients),
        duplicates=sum(client.duplicates for client in clients),
        server_percent=used_s["server"] / took_s * 100,
        postgres_percent=used_s["PostgreSQL"] / took_s * 100,
        server_mb=rss_mb([opened.server]),
        median_ms=median(waits_ms),
        longest_ms=max(waits_ms),
    )
