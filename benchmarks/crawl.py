"""A whole crawl of an nginx on this machine, without delay: how fast, and what each page costs.

The command is the one people run, on the product's own settings. Starting and draining are left out: what
counts lies between the first twentieth of the pages and the last.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from benchmarks.place import scratch
from benchmarks.processes import cpu_s, rss_mb, server_cpu_s
from tests.support.crawl import Crawl
from tests.support.web import Web

from outrider.db import postmaster
from outrider.db.embedded import EmbeddedPostgres

PLAIN = {"OUTRIDER_TIMEOUT": "30", "OUTRIDER_LEASE": "90", "OUTRIDER_LOG_LEVEL": "warning"}
MARGIN = 0.05  # of the pages, at either end
LOOK_EVERY_S = 0.1
LONGEST_S = 900.0


@dataclass(frozen=True, slots=True)
class Speed:
    """One crawl; CPU in milliseconds a page."""

    workers: int
    pages: int
    pages_per_s: float
    worker_ms: float
    server_ms: float
    supervisor_ms: float
    nginx_ms: float
    peak_rss_mb: float  # of the largest worker

    @property
    def all_ms(self) -> float:
        """What the crawler costs; the web it crawls is not ours."""
        return self.worker_ms + self.server_ms + self.supervisor_ms


@dataclass(frozen=True, slots=True)
class Moment:
    """The running crawl at one look."""

    at: float
    pages: int
    worker_s: float
    server_s: float
    supervisor_s: float
    nginx_s: float
    rss_mb: float


def measure(workers: int, *, hosts: int = 40, pages_per_host: int = 250) -> Speed:
    moments: list[Moment] = []
    watch(workers, hosts, pages_per_host, moments.append)
    total = hosts * pages_per_host
    steady = [moment for moment in moments if MARGIN * total <= moment.pages <= (1 - MARGIN) * total]
    first, last = steady[0], steady[-1]
    pages = last.pages - first.pages
    return Speed(
        workers=workers,
        pages=pages,
        pages_per_s=pages / (last.at - first.at),
        worker_ms=(last.worker_s - first.worker_s) / pages * 1000,
        server_ms=(last.server_s - first.server_s) / pages * 1000,
        supervisor_ms=(last.supervisor_s - first.supervisor_s) / pages * 1000,
        nginx_ms=(last.nginx_s - first.nginx_s) / pages * 1000,
        peak_rss_mb=max(moment.rss_mb for moment in moments),
    )


def watch(workers: int, hosts: int, pages_per_host: int, look: Callable[[Moment], None]) -> None:
    """Crawl everything there is, and look at it ten times a second."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch())
        web = stack.enter_context(Web.start(folder / "web", hosts=hosts, pages_per_host=pages_per_host))
        # Made beforehand, so that setting up a database is not measured.
        stack.enter_context(EmbeddedPostgres(folder / "crawl", {}))
        requests = stack.enter_context((folder / "web" / "access.log").open("rb"))
        options = ("--workers", str(workers), "--delay", "0")
        crawl = stack.enter_context(Crawl(folder / "crawl", web.seeds, *options, environment=PLAIN))
        pages = 0
        give_up_at = time.monotonic() + LONGEST_S
        while crawl.is_running:
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"{pages} pages in {LONGEST_S:.0f} s")
            pages += requests.read().count(b"\n")
            with suppress(psutil.NoSuchProcess):
                look(_look(crawl, web, folder, pages))
            time.sleep(LOOK_EVERY_S)
        if crawl.wait(1) != 0:
            raise RuntimeError(f"the crawl failed: {crawl.output()[-1000:]}")


def _look(crawl: Crawl, web: Web, folder: Path, pages: int) -> Moment:
    server = postmaster.find(folder / "crawl" / "database" / "data")
    if server is None:
        raise RuntimeError("PostgreSQL is gone")
    workers = crawl.workers()
    return Moment(
        at=time.monotonic(),
        pages=pages,
        worker_s=cpu_s(workers),
        server_s=server_cpu_s(server.pid),
        supervisor_s=cpu_s([psutil.Process(crawl.pid)]),
        nginx_s=cpu_s([psutil.Process(web.pid)]),
        rss_mb=rss_mb(workers),
    )
