"""A worker that crawls a hundred thousand pages: how large it gets, and whether it keeps growing."""

from dataclasses import dataclass

from benchmarks.crawl import Moment, watch

HOSTS = 40
PAGES_PER_HOST = 2_500
STEP = 10_000


@dataclass(frozen=True, slots=True)
class Size:
    """Resident megabytes of the worker after so many pages."""

    pages: int
    rss_mb: float
    pages_per_s: float


def measure() -> list[Size]:
    curve: list[Size] = []
    first: Moment | None = None

    def look(moment: Moment) -> None:
        nonlocal first
        if moment.pages and first is None:
            first = moment
        if first is not None and moment.pages >= (len(curve) + 1) * STEP:
            rate = (moment.pages - first.pages) / (moment.at - first.at)
            curve.append(Size(moment.pages, moment.rss_mb, rate))

    watch(1, HOSTS, PAGES_PER_HOST, look)
    return curve
