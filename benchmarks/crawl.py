"""A whole crawl of an nginx on this machine, without delay: how fast, and what each page costs.

Starting and draining are left out of the speed: what counts lies between the first twentieth of the pages and
the last. They are in the figures of the whole run, with everything the crawler did from its start to its end.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
from benchmarks.crawlers import Crawler, Running
from benchmarks.place import scratch
from benchmarks.processes import cpu_s, shared_out_mb
from benchmarks.site import Site
from benchmarks.stored import check_stored, stored
from tests.support.web import Hit, Web

HOSTS = 40
PAGES_PER_HOST = 250
MARGIN = 0.05  # of the pages, at either end
LOOK_EVERY_S = 0.25  # looking costs the machine a few milliseconds
WEIGH_EVERY = 4  # looks
LONGEST_S = 1_800.0


@dataclass(frozen=True, slots=True)
class Moment:
    """The running crawl at one look; `memory_mb` is the latest that was taken."""

    at: float
    requests: int
    cpu_s: dict[str, float]
    nginx_s: float
    memory_mb: float


@dataclass(frozen=True, slots=True)
class Speed:
    """One crawl; CPU in milliseconds a page, by part."""

    crawler: str
    workers: int
    pages: int
    repeated: int
    pages_per_s: float
    whole_pages_per_s: float
    cpu_ms: dict[str, float]
    whole_ms: float
    nginx_ms: float
    peak_mb: float

    @property
    def all_ms(self) -> float:
        """What the crawler costs; the web it crawls is not its own."""
        return sum(self.cpu_ms.values())


def measure(crawler: Crawler, site: Site, longest_s: float = LONGEST_S) -> Speed:
    """Crawl the whole site once, and make sure that it was and that the pages were kept."""
    moments: list[Moment] = []
    with scratch() as folder:
        with site.serve(folder / "web") as web:
            moments.append(watch(crawler, web, folder, lambda moment, _: moments.append(moment), longest_s))
        repeated = check_complete(web.log(), site.total)
        check_stored(stored(folder), web, site)
    return speed(crawler, site.total, repeated, moments)


def watch(
    crawler: Crawler,
    web: Web,
    folder: Path,
    look: Callable[[Moment, Running], None],
    longest_s: float = LONGEST_S,
) -> Moment:
    """Crawl everything there is and look at it while it runs; returns what it was when all had ended."""
    nginx = psutil.Process(web.pid)
    requests, looks, memory_mb = 0, 0, 0.0
    give_up_at = time.monotonic() + longest_s
    with crawler.crawl(web, folder) as running, (folder / "web" / "access.log").open("rb") as log:
        while running.is_running:
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"{crawler.name}: {requests} pages in {longest_s:.0f} s")
            requests += log.read().count(b"\n")
            if looks % WEIGH_EVERY == 0:
                memory_mb = shared_out_mb(running.processes())
            looks += 1
            look(Moment(time.monotonic(), requests, running.cpu_s(), cpu_s([nginx]), memory_mb), running)
            time.sleep(LOOK_EVERY_S)
        running.check()
        requests += log.read().count(b"\n")
        return Moment(time.monotonic(), requests, running.cpu_s(), cpu_s([nginx]), memory_mb)


def check_complete(hits: Sequence[Hit], total: int) -> int:
    """Every page was asked for and answered; returns how often one was asked for again."""
    pages = Counter(
        (hit.address, hit.path) for hit in hits if hit.status == 200 and hit.path != "/robots.txt"
    )
    if len(pages) != total:
        raise RuntimeError(f"{len(pages)} of {total} pages were fetched")
    return pages.total() - total


def speed(crawler: Crawler, total: int, repeated: int, moments: Sequence[Moment]) -> Speed:
    """Of the moments between the margins, and of the last one."""
    steady = [each for each in moments if MARGIN * total <= each.requests <= (1 - MARGIN) * total]
    if len(steady) < 2:
        raise RuntimeError(f"{crawler.name} was too fast to look at twice")
    first, last, end = steady[0], steady[-1], moments[-1]
    pages = last.requests - first.requests
    return Speed(
        crawler=crawler.name,
        workers=crawler.workers,
        pages=total,
        repeated=repeated,
        pages_per_s=pages / (last.at - first.at),
        whole_pages_per_s=total / (end.at - moments[0].at),
        cpu_ms={part: (last.cpu_s[part] - first.cpu_s[part]) / pages * 1000 for part in last.cpu_s},
        whole_ms=sum(end.cpu_s.values()) / total * 1000,
        nginx_ms=(last.nginx_s - first.nginx_s) / pages * 1000,
        peak_mb=max(each.memory_mb for each in moments),
    )
