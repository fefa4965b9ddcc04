"""The same pages by everybody in turn: Outrider beside Scrapy and Crawlee.

A round is one crawl by each, one after the other, so that a busy hour is everybody's. The best of the rounds
says what a crawler can do here, the median how far to trust that.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from benchmarks.crawl import HOSTS, PAGES_PER_HOST, Speed, measure
from benchmarks.crawlers import Crawler, Outrider, Peer
from benchmarks.place import scratch
from benchmarks.report import Report
from benchmarks.site import Site

OURSELVES = (Outrider(1), Outrider(2))
EVERYBODY = (
    *OURSELVES,
    Peer("Scrapy, tuned", "scrapy_tuned", 1),
    Peer("Scrapy, tuned", "scrapy_tuned", 2),
    Peer("Crawlee, tuned", "crawlee_tuned", 1),
    Peer("Crawlee, tuned", "crawlee_tuned", 2),
    Peer("Scrapy, by the manual", "scrapy_manual", 1),
    Peer("Scrapy, by the manual", "scrapy_manual", 2),
    Peer("Crawlee, by the manual", "crawlee_manual", 1),
    Peer("Crawlee, by the manual", "crawlee_manual", 2),
)
COLUMNS = (
    "",
    "processes",
    "pages/s (median)",
    "CPU ms (median)",
    "PostgreSQL",
    "whole run",
    "peak MB",
    "our lead",
)


@dataclass(frozen=True, slots=True)
class Standing:
    """One crawler over all rounds: its best ones, each figure for itself, and the medians."""

    crawler: str
    workers: int
    rounds: int
    pages_per_s: float
    pages_per_s_median: float
    all_ms: float
    all_ms_median: float
    cpu_ms: dict[str, float]  # of the round with the least CPU
    whole_ms: float
    nginx_ms: float
    peak_mb: float
    repeated: int


def report(name: str, crawlers: Sequence[Crawler], rounds: int, say: Callable[[str], None]) -> Report:
    speeds = run(crawlers, rounds, say)
    standings = [standing(speeds[each]) for each in crawlers]
    return Report(
        name=name,
        title=f"{HOSTS * PAGES_PER_HOST:,} pages of 31 kB with 48 links",
        columns=COLUMNS,
        rows=[_row(each, _fastest(standings)) for each in standings],
        remarks=_remarks(standings),
        figures=[asdict(each) for each in standings],
    )


def run(crawlers: Sequence[Crawler], rounds: int, say: Callable[[str], None]) -> dict[Crawler, list[Speed]]:
    speeds: dict[Crawler, list[Speed]] = {crawler: [] for crawler in crawlers}
    with scratch() as folder:
        site = Site.render(folder, hosts=HOSTS, pages_per_host=PAGES_PER_HOST)
        for nth in range(1, rounds + 1):
            for crawler in crawlers:
                speed = measure(crawler, site)
                speeds[crawler].append(speed)
                say(
                    f"round {nth}, {crawler.name}, {crawler.workers}: "
                    f"{speed.pages_per_s:,.0f} pages/s, {speed.all_ms:.2f} ms"
                )
    return speeds


def standing(speeds: Sequence[Speed]) -> Standing:
    leanest = min(speeds, key=lambda speed: speed.all_ms)
    return Standing(
        crawler=leanest.crawler,
        workers=leanest.workers,
        rounds=len(speeds),
        pages_per_s=max(speed.pages_per_s for speed in speeds),
        pages_per_s_median=median(speed.pages_per_s for speed in speeds),
        all_ms=leanest.all_ms,
        all_ms_median=median(speed.all_ms for speed in speeds),
        cpu_ms=leanest.cpu_ms,
        whole_ms=min(speed.whole_ms for speed in speeds),
        nginx_ms=min(speed.nginx_ms for speed in speeds),
        peak_mb=max(speed.peak_mb for speed in speeds),
        repeated=max(speed.repeated for speed in speeds),
    )


def _row(each: Standing, ours: Standing) -> tuple[str, ...]:
    return (
        each.crawler,
        str(each.workers),
        f"{each.pages_per_s:,.0f} ({each.pages_per_s_median:,.0f})",
        f"{each.all_ms:.2f} ({each.all_ms_median:.2f})",
        f"{each.cpu_ms['PostgreSQL']:.2f}" if "PostgreSQL" in each.cpu_ms else "",
        f"{each.whole_ms:.2f}",
        f"{each.peak_mb:.0f}",
        f"{ours.pages_per_s / each.pages_per_s:.1f} ×" if each.crawler != ours.crawler else "",
    )


def _remarks(standings: Sequence[Standing]) -> list[str]:
    nginx = max(each.nginx_ms for each in standings)
    remarks = [
        f"Each of them fetched every page in {_rounds(standings[0].rounds)}. "
        f"nginx, not counted here, took up to {nginx:.2f} ms a page."
    ]
    twice = (f"{each.crawler} fetched {each.repeated} pages twice." for each in standings if each.repeated)
    return [*remarks, *dict.fromkeys(twice)]


def _rounds(number: int) -> str:
    return "the only round" if number == 1 else f"each of {number} rounds, the best of which count"


def _fastest(standings: Sequence[Standing]) -> Standing:
    """Outrider where it is fastest: what the others stand beside."""
    ours = (each for each in standings if each.crawler == OURSELVES[0].name)
    return max(ours, key=lambda each: each.pages_per_s)
