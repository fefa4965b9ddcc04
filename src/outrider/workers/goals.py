"""The goal of a session, and the goal of a crawl: all pages to the end. `watch_goal.py` has the other one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

import asyncpg

from outrider.crawl.processes import CrawlProcess, claim_run, end_process
from outrider.crawl.seeds import StartedCrawl, start, suspend_crawl
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.runs.ending import end_now, withdraw_entries
from outrider.runs.store import RunStore
from outrider.settings import Settings
from outrider.sources.policy import Policy
from outrider.urls import UrlKey
from outrider.workers.snapshot import CrawlEnding, Snapshot

RECRAWL_PAGE = 1_000
FIRST_KEY = UrlKey(-(2**63), "0" * 32)
ENDS_THE_RUN = frozenset((CrawlEnding.FINISHED, CrawlEnding.LIMIT, CrawlEnding.WAITING))


class Goal(Protocol):
    """The purpose of a session: how it begins, what it counts, and when it ends."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the goal for display, such as the seeds."""

    @property
    def max_pages(self) -> int | None: ...

    @property
    def runs_jobs(self) -> bool:
        """Whether due jobs run during the session."""

    @property
    def ends_by_itself(self) -> bool:
        """Whether the session has an end: then it also ends when its workers fail again and again."""

    async def begin(self, db: asyncpg.Connection, frontier: FrontierStore) -> StartedCrawl:
        """Queue the first URLs. One transaction."""

    async def prepare(
        self, connection: ReconnectingConnection, frontier: FrontierStore, begun: StartedCrawl
    ) -> None:
        """Queue further URLs before the workers start, in several transactions."""

    async def renew(self, db: asyncpg.Connection, frontier: FrontierStore, begun: StartedCrawl) -> None:
        """Renew the claim of this process at intervals."""

    async def is_cancelled(self, db: asyncpg.Connection, begun: StartedCrawl) -> bool:
        """Whether the run of the session was cancelled."""

    async def end(
        self, db: asyncpg.Connection, frontier: FrontierStore, begun: StartedCrawl, ending: CrawlEnding
    ) -> None:
        """After the workers have stopped, suspend the queued URLs and end the claim of this process."""

    def counted_source(self, begun: StartedCrawl) -> int | None:
        """The source whose counters are shown; None for all of them."""

    def ending(self, last: Snapshot, settings: Settings) -> CrawlEnding | None:
        """How the session has ended; None while it goes on."""


@dataclass(frozen=True, slots=True)
class CrawlGoal:
    """Crawl all pages that the seeds lead to; with an age also the pages that were fetched longer ago."""

    policy: Policy
    recrawl_age: timedelta | None = None
    process: CrawlProcess = field(default_factory=CrawlProcess.this)

    @property
    def names(self) -> Sequence[str]:
        return self.policy.seeds

    @property
    def max_pages(self) -> int | None:
        return self.policy.max_pages

    @property
    def runs_jobs(self) -> bool:
        return False

    @property
    def ends_by_itself(self) -> bool:
        return True

    async def begin(self, db: asyncpg.Connection, frontier: FrontierStore) -> StartedCrawl:
        begun = await start(db, self.policy, frontier, StatsStore())
        if not await claim_run(db, begun.source.source_id, self.process):
            raise Conflict("this crawl is already running in another process on the same database")
        return begun

    async def prepare(
        self, connection: ReconnectingConnection, frontier: FrontierStore, begun: StartedCrawl
    ) -> None:
        """Queue what a cancelled run left, and the pages that were fetched before a time, in batches."""
        source_id, run_id = begun.source.source_id, begun.run_id
        while await connection.run(
            lambda db: frontier.requeue_withdrawn(db, source_id, run_id), patience_s=10
        ):
            pass
        if self.recrawl_age is None:
            return
        before = datetime.now(UTC) - self.recrawl_age
        after: UrlKey | None = FIRST_KEY
        while after is not None:

            async def requeue(db: asyncpg.Connection, after: UrlKey = after) -> UrlKey | None:
                keys = await frontier.known_before(db, source_id, before, after, RECRAWL_PAGE)
                await frontier.visit_again(db, keys, source_id, run_id=run_id)
                return keys[-1] if len(keys) == RECRAWL_PAGE else None

            after = await connection.run(requeue, patience_s=10)

    async def renew(self, db: asyncpg.Connection, frontier: FrontierStore, begun: StartedCrawl) -> None:
        """Renew the claim. Entries of a cancelled run leave the queue, so that the crawl ends."""
        await claim_run(db, begun.source.source_id, self.process)
        run = await RunStore().by_id(db, begun.run_id)
        if run.is_open and run.is_cancelled:
            await withdraw_entries(db, frontier, run)

    async def is_cancelled(self, db: asyncpg.Connection, begun: StartedCrawl) -> bool:
        return await RunStore().cancelled_for_s(db, begun.run_id) is not None

    async def end(
        self, db: asyncpg.Connection, frontier: FrontierStore, begun: StartedCrawl, ending: CrawlEnding
    ) -> None:
        """Suspend the queued URLs: only a new start of this crawl may fetch them, within its page limit.

        The run of an interrupted crawl stays open, and goes on with the next start.
        """
        source_id = begun.source.source_id
        run = await RunStore().by_id(db, begun.run_id)
        if run.is_open and (run.is_cancelled or ending in ENDS_THE_RUN):
            await end_now(db, frontier, run)
        if (await StatsStore().totals(db, source_id)).pending:
            await suspend_crawl(db, source_id, frontier)
        await end_process(db, self.process)

    def counted_source(self, begun: StartedCrawl) -> int | None:
        return begun.source.source_id

    def ending(self, last: Snapshot, settings: Settings) -> CrawlEnding | None:
        if last.is_cancelled:
            return CrawlEnding.CANCELLED
        return last.ending(max_pages=self.max_pages, patience_s=settings.crawl.patience_s)
