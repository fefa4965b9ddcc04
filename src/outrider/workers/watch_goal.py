"""The goal of a watch: keep all sources up to date until it is interrupted."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import asyncpg

from outrider.crawl.processes import CrawlProcess, end_process, join_watch
from outrider.crawl.seeds import StartedCrawl, resume_crawls_of_operators, suspend_idle_crawls
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import InvalidInput
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.settings import Settings
from outrider.sources.model import ADHOC, SourceFilter
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import Policy
from outrider.sources.store import SourceStore
from outrider.watch.blocked import queue_all_blocked
from outrider.watch.source_service import SourceService
from outrider.workers.snapshot import CrawlEnding, Snapshot

EVERYTHING = UrlOwner(0, "all watched sources", Policy())


@dataclass(frozen=True, slots=True)
class WatchGoal:
    """Watch all sources until interrupted, or with `once` until nothing more is due.

    A server may be `idle`: its sources are added while it runs.
    """

    once: bool = False
    idle: bool = False
    process: CrawlProcess = field(default_factory=CrawlProcess.this)

    @property
    def names(self) -> Sequence[str]:
        return (EVERYTHING.name,)

    @property
    def max_pages(self) -> int | None:
        return None

    @property
    def runs_jobs(self) -> bool:
        return True

    @property
    def ends_by_itself(self) -> bool:
        return self.once

    async def begin(self, db: asyncpg.Connection, frontier: FrontierStore) -> StartedCrawl:
        await join_watch(db, self.process)
        await suspend_idle_crawls(db, frontier)
        await resume_crawls_of_operators(db, frontier)
        await SourceService(frontier).wake(db)
        _, watched = await SourceStore().page(db, SourceFilter(enabled=True, limit=1))
        totals = await StatsStore().totals(db)
        if not self.idle and not watched and not (await StatsStore().totals(db, ADHOC)).pending:
            raise InvalidInput("nothing is watched yet: `outrider source add https://example.com` begins")
        return StartedCrawl(EVERYTHING, totals.pending, ())

    async def prepare(
        self, connection: ReconnectingConnection, frontier: FrontierStore, begun: StartedCrawl
    ) -> None:
        """Queue blocked pages whose robots.txt is due for a check; channels are queued already."""
        await queue_all_blocked(connection, frontier)

    async def renew(self, db: asyncpg.Connection, frontier: FrontierStore, begun: StartedCrawl) -> None:
        await join_watch(db, self.process)

    async def is_cancelled(self, db: asyncpg.Connection, begun: StartedCrawl) -> bool:
        return False

    async def end(
        self, db: asyncpg.Connection, frontier: FrontierStore, begun: StartedCrawl, ending: CrawlEnding
    ) -> None:
        """End the claim of this process; the queued URLs stay due for other watching processes."""
        await end_process(db, self.process)

    def counted_source(self, begun: StartedCrawl) -> int | None:
        return None

    def ending(self, last: Snapshot, settings: Settings) -> CrawlEnding | None:
        # Announced pages are due at once, however long the delay of their host is.
        if not self.once or last.host_counts.leased or last.resting_in_s is not None:
            return None
        if last.is_searching and settings.feeds.discover:
            return None
        return last.ending(max_pages=None, patience_s=1.0)
