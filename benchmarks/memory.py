"""A worker that crawls a hundred thousand pages: how large it gets, and whether it keeps growing."""

from dataclasses import asdict, dataclass

from benchmarks.crawl import Moment, watch
from benchmarks.crawlers import Outrider, OutriderRunning, Running
from benchmarks.place import scratch
from benchmarks.processes import rss_mb
from benchmarks.report import Report
from tests.support.web import Web

HOSTS = 40
PAGES_PER_HOST = 2_500
STEP = 10_000


@dataclass(frozen=True, slots=True)
class Size:
    """Resident megabytes of the worker after so many pages."""

    pages: int
    rss_mb: float
    pages_per_s: float


def report() -> Report:
    sizes = measure()
    return Report(
        name="memory",
        title=f"A worker that crawls {HOSTS * PAGES_PER_HOST:,} pages",
        columns=("pages", *(f"{size.pages // 1000}k" for size in sizes)),
        rows=[
            ("MB", *(f"{size.rss_mb:.0f}" for size in sizes)),
            ("pages/s so far", *(f"{size.pages_per_s:,.0f}" for size in sizes)),
        ],
        figures=[asdict(size) for size in sizes],
    )


def measure() -> list[Size]:
    curve: list[Size] = []
    first: Moment | None = None

    def look(moment: Moment, running: Running) -> None:
        nonlocal first
        assert isinstance(running, OutriderRunning)
        if moment.requests and first is None:
            first = moment
        if first is not None and moment.requests >= (len(curve) + 1) * STEP:
            rate = (moment.requests - first.requests) / (moment.at - first.at)
            curve.append(Size(moment.requests, rss_mb(running.workers()), rate))

    # Made on request, not read from files as in the short crawls: these would be 3 GB.
    with (
        scratch() as folder,
        Web.start(folder / "web", hosts=HOSTS, pages_per_host=PAGES_PER_HOST) as web,
    ):
        watch(Outrider(1), web, folder, look)
    return curve
