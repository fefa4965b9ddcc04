"""What a page costs PostgreSQL, with ten thousand URLs in the frontier and with a million.

The statements, their transactions and the server's settings are the product's; only the pages are made up.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import asyncpg
import psutil
from benchmarks.place import scratch
from benchmarks.processes import cpu_s, server_cpu_s
from benchmarks.simulated import Pages, link_to

from outrider.crawl.flush import Flusher
from outrider.crawl.options import CrawlOptions
from outrider.crawl.seen import Seen
from outrider.db import migrate, postmaster
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.line import Line
from outrider.documents.store import DocumentStore
from outrider.frontier.lease import Lease
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore, Release

SIZES = {10_000: 1_000, 1_000_000: 50_000}  # URLs and over how many hosts, beside the giant one
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
    write_us: float
    server_us: float  # the whole server: claims, writes, WAL, vacuum, checkpoints
    client_us: float
    claim_ms_median: float
    claim_ms_p99: float
    pages_per_s: float


def measure() -> list[Cost]:
    return [asyncio.run(_measure(urls, hosts)) for urls, hosts in SIZES.items()]


async def _measure(urls: int, hosts: int) -> Cost:
    with scratch() as folder, EmbeddedPostgres(folder / "crawl", {}) as server:
        await _fill(server.dsn, urls, hosts)
        running = postmaster.find(folder / "crawl" / "database" / "data")
        assert running is not None
        async with _bench(server.dsn) as bench:
            await bench.run(WARM_UP_PAGES)
            return await bench.measure(urls, PAGES, lambda: server_cpu_s(running.pid))


async def _fill(dsn: str, urls: int, hosts: int) -> None:
    db = await asyncpg.connect(dsn)
    try:
        await migrate.up(db)
        await db.execute(FILL.read_text().format(urls=urls, hosts=hosts))
        await db.execute("VACUUM ANALYZE")
    finally:
        await db.close()


@asynccontextmanager
async def _bench(dsn: str) -> AsyncIterator["_Bench"]:
    claims, writes = Line(dsn, application_name="claims"), Line(dsn, application_name="writes")
    try:
        known = await claims.run(
            lambda db: db.fetch(
                "SELECT u.url, i.host, u.prio FROM url u JOIN host_info i USING (host_id) "
                "WHERE left(u.url_hash::text, 2) = '7f' LIMIT $1",
                KNOWN_SAMPLE,
            )
        )
        worker_id = await writes.run(lambda db: FrontierStore(FrontierOptions()).enter(db, "bench", 0))
        pids = await claims.run(
            lambda db: db.fetch(
                "SELECT application_name, pid FROM pg_stat_activity "
                "WHERE application_name IN ('claims', 'writes')"
            )
        )
        backends = {row["application_name"]: psutil.Process(row["pid"]) for row in pids}
        pages = Pages([link_to(row["url"], row["host"], row["prio"]) for row in known])
        yield _Bench(claims, writes, FrontierStore(FrontierOptions(), worker_id), pages, backends)
    finally:
        await claims.close()
        await writes.close()


class _Bench:
    """One worker's loop with simulated pages in place of lanes."""

    def __init__(
        self,
        claims: Line,
        writes: Line,
        frontier: FrontierStore,
        pages: Pages,
        backends: dict[str, psutil.Process],
    ) -> None:
        self._claims = claims
        self._frontier = frontier
        self._pages = pages
        self._backends = backends
        self._claim_ms: list[float] = []
        self._options = CrawlOptions()
        self._held: list[int] = []
        self._flusher = Flusher(
            writes,
            frontier,
            DocumentStore(),
            Seen(),
            self._options,
            held=lambda: self._held,
            released=lambda due: None,
        )

    async def measure(self, urls: int, pages: int, server_s: Callable[[], float]) -> Cost:
        self._claim_ms.clear()
        before, claim, write = server_s(), *self._backend_s()
        client, started = time.process_time(), time.perf_counter()
        done = await self.run(pages)
        wall_s, client_s = time.perf_counter() - started, time.process_time() - client
        claim_after, write_after = self._backend_s()
        percentiles = quantiles(self._claim_ms, n=100)
        return Cost(
            urls=urls,
            pages=done,
            claim_us=(claim_after - claim) / done * 1e6,
            write_us=(write_after - write) / done * 1e6,
            server_us=(server_s() - before) / done * 1e6,
            client_us=client_s / done * 1e6,
            claim_ms_median=percentiles[49],
            claim_ms_p99=percentiles[98],
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
            for lease in leases:
                for entry in lease.entries:
                    self._pages.visit(lease, entry, self._flusher.batch)
                done += len(lease.entries)
                self._flusher.release(Release(lease, lease.state, DELAY_S))
                if self._flusher.batch.pages >= self._options.flush_pages:
                    await self._flusher.flush()
            await self._flusher.flush()
        return done

    async def _claim(self) -> list[Lease]:
        started = time.perf_counter()
        leases = await self._claims.run(
            lambda db: self._frontier.claim(db, self._frontier.options.hosts_per_claim)
        )
        if leases:
            self._claim_ms.append((time.perf_counter() - started) * 1000)
        self._held = [lease.host_id for lease in leases]
        return leases

    def _backend_s(self) -> tuple[float, float]:
        return cpu_s([self._backends["claims"]]), cpu_s([self._backends["writes"]])
