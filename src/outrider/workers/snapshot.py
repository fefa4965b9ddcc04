"""How a crawl is doing at one moment: what the screen shows, and what ends it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from outrider.frontier.model import Totals
from outrider.frontier.stats import Pulse, WorkerNews


class Ending(StrEnum):
    """Why a crawl is over."""

    FINISHED = "finished"  # nothing left to fetch
    LIMIT = "page limit reached"
    WAITING = "all that is left has to wait"
    INTERRUPTED = "interrupted"
    UNAVAILABLE = "the database went away"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One look at a running crawl."""

    at: float  # seconds since the crawl began
    totals: Totals
    pulse: Pulse
    workers: Sequence[WorkerNews]
    next_due_in_s: float | None
    pages_per_s: float = 0.0
    bytes_per_s: float = 0.0
    deaths: int = 0
    slowest: Sequence[tuple[str, float]] = field(default_factory=tuple)

    @property
    def pages(self) -> int:
        return self.totals.others.get("pages", 0)

    @property
    def in_flight(self) -> int:
        return sum(int(worker.stats.get("in_flight", 0)) for worker in self.workers)

    @property
    def unwritten(self) -> int:
        return sum(int(worker.stats.get("unwritten", 0)) for worker in self.workers)

    def ending(self, *, max_pages: int | None, patience_s: float) -> Ending | None:
        """Whether the crawl is over."""
        if self.totals.pending <= 0:
            return Ending.FINISHED
        if max_pages is not None and self.pages >= max_pages:
            return Ending.LIMIT
        is_idle = self.pulse.leased == 0 and self.in_flight == 0
        if is_idle and (self.next_due_in_s is None or self.next_due_in_s > patience_s):
            return Ending.WAITING
        return None

    def waiting_for(self, delay_s: float) -> str | None:
        """Why it is not going faster, when it is not our doing (CAP-08)."""
        if self.totals.pending <= 0:
            return None
        hosts = self.pulse.leased + self.pulse.waiting
        if self.next_due_in_s is not None and self.next_due_in_s > 1 and self.pulse.leased == 0:
            return f"nothing is due for another {self.next_due_in_s:.0f} s"
        if hosts and self.in_flight == 0 and any(not worker.stats.get("crowded") for worker in self.workers):
            pace = f"1 request every {delay_s:g} s" if delay_s != 1 else "1 request a second"
            return f"{hosts} host{'s' if hosts > 1 else ''}, each at {pace}"
        return None
