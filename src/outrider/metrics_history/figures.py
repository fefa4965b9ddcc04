"""The figures of a crawl at this moment, read in one statement."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.worker_registry.store import HEARTBEAT_AGE_S

STATES = {  # the counter of each state of an entry
    "pending": CounterName.PENDING,
    "fetched": CounterName.FETCHED,
    "dead": CounterName.DEAD,
    "alias": CounterName.ALIAS,
}


@dataclass(frozen=True, slots=True)
class WorkerFigures:
    """The live workers together."""

    live: int = 0
    pages_per_s: float = 0.0
    claims: float = 0.0
    claim_s: float = 0.0
    index_failures: float = 0.0

    @property
    def mean_claim_s(self) -> float:
        return self.claim_s / self.claims if self.claims else 0.0


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """The figures at one moment. Counts of hosts stop at 10,000."""

    at: datetime
    counters: Mapping[str, int]
    workers: WorkerFigures = field(default_factory=WorkerFigures)
    hosts: Mapping[str, int] = field(default_factory=dict)  # with queued URLs, by what they wait for
    breakers: Mapping[str, int] = field(default_factory=dict)  # open and half_open
    queue_age_s: float = 0.0  # how long the oldest due host waits
    jobs: Mapping[str, int] = field(default_factory=dict)  # by status
    schedulers: int = 0
    stale_recoveries: int = 0
    lost_races: int = 0
    logs_to_archive: int = 0
    placements: Mapping[str, int] = field(default_factory=dict)  # jobs that got a slot in the last day
    rebalanced: Mapping[str, int] = field(default_factory=dict)  # jobs moved and skipped by all rebalances

    def count(self, name: CounterName) -> int:
        return self.counters.get(name, 0)

    def group(self, prefix: CounterPrefix) -> dict[str, int]:
        """The counters that begin with a prefix, by the rest of their name."""
        return {
            name.removeprefix(prefix): value
            for name, value in self.counters.items()
            if name.startswith(prefix)
        }

    @property
    def states(self) -> dict[str, int]:
        """Entries of the frontier by state."""
        return {state: self.count(name) for state, name in STATES.items()}

    @property
    def status_classes(self) -> dict[str, int]:
        """Answers by the class of their status: 2xx, 3xx, 4xx, 5xx and other."""
        found = dict.fromkeys(("2xx", "3xx", "4xx", "5xx"), 0)
        for status, value in self.group(CounterPrefix.STATUS).items():
            found[status_class(status)] = found.get(status_class(status), 0) + value
        return found

    @property
    def failures(self) -> int:
        """Requests that failed: without a status, or with 4xx or 5xx."""
        classes = self.status_classes
        return sum(self.group(CounterPrefix.FAILURE).values()) + classes["4xx"] + classes["5xx"]


def status_class(status: str) -> str:
    """`404` → `4xx`; anything that is no HTTP status is `other`."""
    is_status = len(status) == 3 and status.isascii() and status.isdigit() and "2" <= status[0] <= "5"
    return f"{status[0]}xx" if is_status else "other"


async def read_crawl_figures(db: asyncpg.Connection) -> CrawlFigures:
    """The figures now."""
    [row] = await db.fetch(Queries.load("outrider.metrics_history").crawl_figures, HEARTBEAT_AGE_S)
    values = dict(row)
    values["workers"] = WorkerFigures(**values["workers"])
    values["queue_age_s"] = values["queue_age_s"] or 0.0
    return CrawlFigures(**values)
