"""What a page costs PostgreSQL, by how many URLs are in the frontier.

The statements, their transactions and the server's settings are the product's; only the pages are made up.
"""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import asyncpg
import psutil
from benchmarks.place import scratch
from benchmarks.processes import cpu_s, server_cpu_s
from benchmarks.report import Report
from benchmarks.room import check_room, left_out, parted_by_room
from benchmarks.simulated import Pages, link_to

from outrider.crawl.flush import Flusher
from outrider.crawl.options import CrawlOptions
from outrider.crawl.release_listener import ReleaseListener
from outrider.crawl.seen import SeenUrls
from outrider.db import migrate, postmaster
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.store import DocumentStore
from outrider.frontier.lease import Lease, Release
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.worker_registry.store import WorkerRegistry

SIZES = (10_000, 1_000_000, 10_000_000)
URLS_A_HOST = 20  # on average, beside the giant one
FEWEST_HOSTS = 1_000
WARM_UP_PAGES = 2_000
PAGES = 10_000
DELAY_S = 1.0
LONGEST_S = 240.0
KNOWN_SAMPLE = 20_000
FILL = Path(__file__).with_name("fill.sql")


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU microseconds a page, and how long claims took. `urls` is how many there were at the start."""

    urls: int
    pages: int
    claim_us: float
    flush_us: float
    release_us: float
    server_us: float  # the whole server: claims, writes, WAL, vacuum, checkpoints
    client_us: float
    claim_ms_median: float
    claim_ms_longest: float
    claims: int
    pages_per_s: float


def report(asked: Sequence[int] | None) -> Report:
    """Measure at each size in turn; those of SIZES, unless asked for others, that there is room for."""
    with scratch() as folder:
        free = shutil.disk_usage(folder).free
    fits, too_large = parted_by_room(SIZES, free)
    costs = [asyncio.run(_measure(urls)) for urls in asked or fits or SIZES]
    return Report(
        name="frontier",
        title="PostgreSQL CPU a page by URLs in the frontier, in µs",
        columns=(
            "URLs queued",
            "claim",
            "flush",
            "release",
            "PostgreSQL in all",
            "our side",
            "claim of 16 hosts, ms",
            "longest",
        ),
        rows=[
            (
                f"{cost.urls:,}",
                *(f"{each:.0f}" for each in (cost.claim_us, cost.flush_us, cost.release_us)),
                f"{cost.server_us:.0f}",
                f"{cost.client_us:.0f}",
                f"{cost.claim_ms_median:.1f}",
                f"{cost.claim_ms_longest:.1f}",
            )
            for cost in costs
        ],
        remarks=[
            *([_growth(costs[0], costs[-1])] if len(costs) > 1 else []),
            *(left_out(urls, free) for urls in too_large if not asked),
        ],
        figures=[asdict(cost) for cost in costs],
    )


def _growth(few: Cost, many: Cost) -> str:
    ratio = many.server_us / few.server_us
    return f"A page costs {ratio:.2f} times as much with {many.urls:,} URLs as with {few.urls:,}."


async def _measure(urls: int) -> Cost:
    with scratch() as folder, EmbeddedPostgres(folder / "crawl", {}) as server:
        check_room(folder, urls)
        await fill(server.dsn, urls, max(urls // URLS_A_HOST, FEWEST_HOSTS))
        running = postmaster.find(folder / "crawl" / "database" / "data")
        assert running is not None
        async with open_bench(server.dsn) as bench:
            await bench.run(WARM_UP_PAGES)
            return await bench.measure(urls, PAGES, lambda: server_cpu_s(running.pid))


async def fill(dsn: str, urls: int, hosts: int, then: str = "") -> None:
    """Migrate and fill a database; `then` is SQL for what is different about it."""
    db = await asyncpg.connect(dsn)
    try:
        await migrate.up(db)
        await db.execute(FILL.read_text().format(urls=urls, hosts=hosts))
        if then:
            await db.execute(then)
        await db.execute("VACUUM FULL url")  # the same pages on disk, whatever was changed after the fill
        await db.execute("VACUUM ANALYZE")
        await db.execute("CHECKPOINT")  # or writing the fill to disk would be charged to the pages
    finally:
        await db.close()


@asynccontextmanager
async def open_bench(dsn: str) -> AsyncIterator["Bench"]:
    claims, writes = (
        ReconnectingConnection(dsn, application_name="claims"),
        ReconnectingConnection(dsn, application_name="writes"),
    )
    try:
        known = await claims.run(
            lambda db: db.fetch(
                "SELECT u.url, i.host, u.prio FROM url u JOIN host_info i USING (host_id) "
                "WHERE left(u.url_hash::text, 2) = '7f' LIMIT $1",
                KNOWN_SAMPLE,
            )
        )
        worker_id = await writes.run(lambda db: WorkerRegistry().register(db, "bench", 0))
        pids = await claims.run(
            lambda db: db.fetch(
                "SELECT application_name, pid FROM pg_stat_activity "
                "WHERE application_name IN ('claims', 'writes') AND datname = current_database()"
            )
        )
        backends = {row["application_name"]: psutil.Process(row["pid"]) for row in pids}
        pages = Pages([link_to(row["url"], row["host"], row["prio"]) for row in known])
        yield Bench(claims, writes, FrontierStore(FrontierOptions(), worker_id), pages, backends)
    finally:
        await claims.close()
        await writes.close()


class Bench(ReleaseListener):
    """One worker's loop with simulated pages in place of lanes."""

    def __init__(
        self,
        claims: ReconnectingConnection,
        writes: ReconnectingConnection,
        frontier: FrontierStore,
        pages: Pages,
        backends: dict[str, psutil.Process],
    ) -> None:
        self._claims = claims
        self._frontier = frontier
        self._pages = pages
        self._backends = backends
        self._claim_ms: list[float] = []
        self._spent_s = {"claim": 0.0, "flush": 0.0, "release": 0.0}
        self._options = CrawlOptions()
        self._held: list[int] = []
        self._flusher = Flusher(
            writes,
            frontier,
            DocumentStore(),
            SeenUrls(),
            self._options,
        )
        self._flusher.holder = self

    @property
    def pids(self) -> list[int]:
        """The processes of its connections."""
        return [process.pid for process in self._backends.values()]

    def held(self) -> list[int]:
        return self._held

    async def measure(self, urls: int, pages: int, server_s: Callable[[], float]) -> Cost:
        self._claim_ms.clear()
        self._spent_s = dict.fromkeys(self._spent_s, 0.0)
        before, client, started = server_s(), time.process_time(), time.perf_counter()
        done = await self.run(pages)
        wall_s, client_s = time.perf_counter() - started, time.process_time() - client
        return Cost(
            urls=urls,
            pages=done,
            claim_us=self._spent_s["claim"] / done * 1e6,
            flush_us=self._spent_s["flush"] / done * 1e6,
            release_us=self._spent_s["release"] / done * 1e6,
            server_us=(server_s() - before) / done * 1e6,
            client_us=client_s / done * 1e6,
            claim_ms_median=median(self._claim_ms),
            claim_ms_longest=max(self._claim_ms),
            claims=len(self._claim_ms),
            pages_per_s=done / wall_s,
        )

    async def run(self, pages: int) -> int:
        """Claim, write and release until so many pages are done."""
        done = 0
        give_up_at = time.monotonic() + LONGEST_S
        while done < pages:
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"{done} of {pages} pages in {LONGEST_S:.0f} s")
            leases = await self._claim()
            if not leases:
                await asyncio.sleep(0.02)
            finished: list[Lease] = []
            for lease in leases:
                for entry in lease.entries:
                    self._pages.visit(lease, entry, self._flusher.batch)
                done += len(lease.entries)
                finished.append(lease)
                if self._flusher.batch.pages >= self._options.flush_pages:
                    await self._write(finished)
            await self._write(finished)
        return done

    async def _claim(self) -> list[Lease]:
        started = time.perf_counter()
        with self._spending("claim", "claims"):
            leases = await self._claims.run(
                lambda db: self._frontier.claim(db, self._frontier.options.hosts_per_claim)
            )
        if leases:
            self._claim_ms.append((time.perf_counter() - started) * 1000)
        self._held = [lease.host_id for lease in leases]
        return leases

    async def _write(self, finished: list[Lease]) -> None:
        """What a flush does, in two steps, so that each can be measured."""
        with self._spending("flush", "writes"):
            await self._flusher.flush()
        for lease in finished:
            self._flusher.release(Release(lease, lease.state, DELAY_S))
        finished.clear()
        with self._spending("release", "writes"):
            await self._flusher.flush()

    @contextmanager
    def _spending(self, step: str, backend: str) -> Iterator[None]:
        """The system counts in steps of 10 ms, which even out over hundreds of calls."""
        before = cpu_s([self._backends[backend]])
        yield
        self._spent_s[step] += cpu_s([self._backends[backend]]) - before
