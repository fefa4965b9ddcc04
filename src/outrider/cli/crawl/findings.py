"""The result of a crawl: from the session and from the database."""

from dataclasses import dataclass, field

from outrider.cli.crawl.views import Task
from outrider.frontier.counter_name import CounterName
from outrider.services.findings import CrawlFindings
from outrider.workers.snapshot import CrawlEnding, Snapshot


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """The result of a crawl."""

    task: Task
    ending: CrawlEnding
    snapshot: Snapshot
    depth: int
    stopped: bool = False  # interrupted twice
    lines_lost: int = 0  # log lines that could not be written
    gathered: CrawlFindings = field(default_factory=CrawlFindings)

    @property
    def has_failed(self) -> bool:
        """Whether no page was fetched, or the crawl was stopped."""
        if self.stopped:
            return True
        is_over = self.ending in (CrawlEnding.FINISHED, CrawlEnding.WAITING)
        return is_over and self.snapshot.since_start(CounterName.PAGES) == 0 and bool(self.gathered.troubles)
