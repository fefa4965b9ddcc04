"""The same pages by everybody in turn: Outrider beside Scrapy and Crawlee.

A round is one crawl by each, one after the other, so that a busy hour is everybody's. The best of the rounds
says what a crawler can do here, the median how far to trust that; all of them are told and kept.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmarks import real_site
from benchmarks.bench_environment import ask
from benchmarks.crawl import HOSTS, PAGES_PER_HOST, Speed, measure
from benchmarks.crawlers import Crawler, Outrider, Peer
from benchmarks.place import scratch
from benchmarks.report import Report
from benchmarks.site import Site

import outrider

OURSELVES = (Outrider(1), Outrider(2))
TUNED = (
    Peer("Scrapy, tuned", "scrapy_tuned", 1),
    Peer("Scrapy, tuned", "scrapy_tuned", 2),
    Peer("Crawlee, tuned", "crawlee_tuned", 1),
    Peer("Crawlee, tuned", "crawlee_tuned", 2),
)
EVERYBODY = (
    *OURSELVES,
    *TUNED,
    Peer("Scrapy, by the manual", "scrapy_manual", 1),
    Peer("Scrapy, by the manual", "scrapy_manual", 2),
    Peer("Crawlee, by the manual", "crawlee_manual", 1),
    Peer("Crawlee, by the manual", "crawlee_manual", 2),
)
REAL_PAGES_PER_HOST = 100  # they are seven times as large
COLUMNS = (
    "",
    "processes",
    "pages/s (median)",
    "CPU ms (median)",
    "in the database",
    "whole run",
    "peak MB",
    "lead of our two",
    "lead like for like",
)


@dataclass(frozen=True, slots=True)
class Standing:
    """One crawler over all rounds: the best of each figure, and the medians."""

    crawler: str
    version: str
    workers: int
    rounds: Sequence[Speed]
    pages_per_s: float
    pages_per_s_median: float
    whole_pages_per_s: float
    all_ms: float
    all_ms_median: float
    cpu_ms: dict[str, float]  # of the round with the least CPU
    whole_ms: float
    nginx_ms: float
    peak_mb: float
    repeated: int

    @property
    def figures(self) -> dict[str, Any]:
        return asdict(self) | {"rounds": [asdict(each) | {"all_ms": each.all_ms} for each in self.rounds]}


def report(
    name: str, crawlers: Sequence[Crawler], rounds: int, say: Callable[[str], None], pages: int | None = None
) -> Report:
    """Every crawler on the synthetic web, of 10,000 pages where nothing else is said."""
    pages_per_host = _per_host(pages, PAGES_PER_HOST)

    def render(folder: Path) -> Site:
        return Site.render(folder, hosts=HOSTS, pages_per_host=pages_per_host)

    title = f"{HOSTS * pages_per_host:,} pages of 31 kB with 48 links"
    return _report(name, title, crawlers, run(crawlers, rounds, say, render))


def real_report(rounds: int, say: Callable[[str], None], pages: int | None = None) -> Report:
    """Outrider and the tuned crawlers on real pages."""
    try:
        found = real_site.real_pages()
    except real_site.NoPages as error:
        raise SystemExit(f"benchmarks: none of the pages can be had here: {error}") from error
    pages_per_host = _per_host(pages, REAL_PAGES_PER_HOST)
    size = mean(len(html.encode()) for html in found)
    total = HOSTS * pages_per_host

    def render(folder: Path) -> Site:
        room, needed = shutil.disk_usage(folder).free, total * size * real_site.ROOM
        if room < needed:
            raise SystemExit(
                f"benchmarks: {needed / 1e9:.0f} GB are needed in {folder}, {room / 1e9:.0f} are free"
            )
        return real_site.render(folder, hosts=HOSTS, pages_per_host=pages_per_host, pages=found)

    crawlers = (*OURSELVES, *TUNED)
    title = f"{total:,} real pages of {size / 1000:.0f} kB on the average"
    return _report(
        "real", title, crawlers, run(crawlers, rounds, say, render), [f"{title}, made of {len(found)}."]
    )


def _per_host(pages: int | None, otherwise: int) -> int:
    return otherwise if pages is None else max(round(pages / HOSTS), 1)


def _report(
    name: str,
    title: str,
    crawlers: Sequence[Crawler],
    speeds: dict[Crawler, list[Speed]],
    remarks: Sequence[str] = (),
) -> Report:
    versions = versions_of(crawlers)
    standings = [standing(versions[each], speeds[each]) for each in crawlers]
    return Report(
        name=name,
        title=title,
        columns=COLUMNS,
        rows=[row(each, standings) for each in standings],
        remarks=[*remarks, *_remarks(standings)],
        figures=[each.figures for each in standings],
    )


def versions_of(crawlers: Sequence[Crawler]) -> dict[Crawler, str]:
    """What is installed: ours here, the others' in their environment."""
    packages = {each: each.package for each in crawlers if isinstance(each, Peer)}
    theirs = ask("versions", sorted(set(packages.values()))) if packages else {}
    return {each: theirs[packages[each]] if each in packages else outrider.__version__ for each in crawlers}


def run(
    crawlers: Sequence[Crawler],
    rounds: int,
    say: Callable[[str], None],
    render: Callable[[Path], Site] | None = None,
) -> dict[Crawler, list[Speed]]:
    """Every crawler in every round; without `render` on the synthetic web."""
    speeds: dict[Crawler, list[Speed]] = {crawler: [] for crawler in crawlers}
    with scratch() as folder:
        if render is None:
            site = Site.render(folder, hosts=HOSTS, pages_per_host=PAGES_PER_HOST)
        else:
            site = render(folder)
        for nth in range(1, rounds + 1):
            for crawler in crawlers:
                speed = measure(crawler, site)
                speeds[crawler].append(speed)
                say(
                    f"round {nth}, {crawler.name}, {crawler.workers}: "
                    f"{speed.pages_per_s:,.0f} pages/s, {speed.all_ms:.2f} ms; the whole run "
                    f"{speed.whole_pages_per_s:,.0f} pages/s, {speed.whole_ms:.2f} ms, {speed.peak_mb:.0f} MB"
                )
    return speeds


def standing(version: str, speeds: Sequence[Speed]) -> Standing:
    leanest = min(speeds, key=lambda speed: speed.all_ms)
    return Standing(
        crawler=leanest.crawler,
        version=version,
        workers=leanest.workers,
        rounds=speeds,
        pages_per_s=max(speed.pages_per_s for speed in speeds),
        pages_per_s_median=median(speed.pages_per_s for speed in speeds),
        whole_pages_per_s=max(speed.whole_pages_per_s for speed in speeds),
        all_ms=leanest.all_ms,
        all_ms_median=median(speed.all_ms for speed in speeds),
        cpu_ms=leanest.cpu_ms,
        whole_ms=min(speed.whole_ms for speed in speeds),
        nginx_ms=min(speed.nginx_ms for speed in speeds),
        peak_mb=max(speed.peak_mb for speed in speeds),
        repeated=max(speed.repeated for speed in speeds),
    )


def row(each: Standing, standings: Sequence[Standing]) -> tuple[str, ...]:
    """One line of the table, with how far we are ahead: all our workers, and only as many as theirs."""
    ours = {other.workers: other for other in standings if other.crawler == OURSELVES[0].name}
    server_ms = each.cpu_ms.get("PostgreSQL")
    return (
        each.crawler,
        str(each.workers),
        f"{each.pages_per_s:,.0f} ({each.pages_per_s_median:,.0f})",
        f"{each.all_ms:.2f} ({each.all_ms_median:.2f})",
        "" if server_ms is None else f"{server_ms:.2f}",
        f"{each.whole_pages_per_s:,.0f}, {each.whole_ms:.2f}",
        f"{each.peak_mb:.0f}",
        _lead(ours[max(ours)], each),
        _lead(ours[each.workers], each),
    )


def _lead(ours: Standing, theirs: Standing) -> str:
    return "" if theirs.crawler == ours.crawler else f"{ours.pages_per_s / theirs.pages_per_s:.1f} ×"


def _remarks(standings: Sequence[Standing]) -> list[str]:
    nginx = max(each.nginx_ms for each in standings)
    remarks = [
        f"Each of them fetched and stored every page in {_rounds(len(standings[0].rounds))}. "
        f"nginx, not counted here, took up to {nginx:.2f} ms a page.",
        ", ".join(dict.fromkeys(f"{each.crawler.partition(',')[0]} {each.version}" for each in standings))
        + ".",
    ]
    twice = (f"{each.crawler} fetched {each.repeated} pages twice." for each in standings if each.repeated)
    return [*remarks, *dict.fromkeys(twice)]


def _rounds(number: int) -> str:
    return "the only round" if number == 1 else f"each of {number} rounds, the best of which count"
