"""The figures of a crawl at one moment, for the screen and for the end of the crawl. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.model import Totals
from outrider.frontier.stats import HostCounts
from outrider.worker_registry.model import RegisteredWorker
from outrider.workers.monitor_queries import RequestIntervals, SlowHost


class CrawlEnding(StrEnum):
    """Why a crawl is over."""

    FINISHED = "finished"  # nothing left to fetch
    LIMIT = "page limit reached"
    WAITING = "all that is left has to wait"
    INTERRUPTED = "interrupted"
    CANCELLED = "its run was cancelled"
    UNAVAILABLE = "the database went away"
    WORKERS_FAIL = "workers fail again and again"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The figures of a running crawl at one moment."""

    at: float  # seconds since the crawl began
    totals: Totals
    host_counts: HostCounts
    workers: Sequence[RegisteredWorker]
    next_due_in_s: float | None
    resting_in_s: float | None = None  # until the delay of a host with queued URLs is over
    is_searching: bool = False  # the search for feeds of a watched source is not finished
    is_cancelled: bool = False  # the run was cancelled
    before: Totals = field(default_factory=Totals)  # when this run began
    pages_per_s: float = 0.0
    bytes_per_s: float = 0.0
    deaths: int = 0
    worker_error: str | None = None  # why all workers fail at their start
    pace: RequestIntervals = field(default_factory=RequestIntervals)
    slowest: Sequence[SlowHost] = ()
    uncompared: int | None = None  # after the last page: documents to search for near-duplicates

    @property
    def pages(self) -> int:
        return self.totals.others.get(CounterName.PAGES, 0)

    @property
    def in_flight(self) -> int:
        return sum(int(worker.stats.get("in_flight", 0)) for worker in self.workers)

    @property
    def unwritten(self) -> int:
        return sum(int(worker.stats.get("unwritten", 0)) for worker in self.workers)

    @property
    def is_crowded(self) -> bool:
        """Whether a worker has more due hosts than lanes: more workers would help."""
        return any(worker.stats.get("crowded") for worker in self.workers)

    def since_start(self, name: str) -> int:
        """The increase of a counter in this run."""
        return self.totals.others.get(name, 0) - self.before.others.get(name, 0)

    def counted(self, prefix: CounterPrefix) -> dict[str, int]:
        """The increase of the counters with a prefix in this run, largest first: `status.`, `failure.`, …"""
        gained = {
            name.removeprefix(prefix): self.since_start(name)
            for name in self.totals.others
            if name.startswith(prefix)
        }
        return dict(sorted((item for item in gained.items() if item[1] > 0), key=lambda item: -item[1]))

    def ending(self, *, max_pages: int | None, patience_s: float) -> CrawlEnding | None:
        """How the crawl has ended; None while it goes on."""
        if self.totals.pending <= 0:
            return CrawlEnding.FINISHED
        if max_pages is not None and self.pages >= max_pages:
            return CrawlEnding.LIMIT
        is_idle = self.host_counts.leased == 0 and self.in_flight == 0
        if is_idle and (self.next_due_in_s is None or self.next_due_in_s > patience_s):
            return CrawlEnding.WAITING
        return None
