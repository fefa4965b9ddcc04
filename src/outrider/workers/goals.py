"""What a session is for: one crawl to its end, or watching for as long as it is let."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

import asyncpg

from outrider.crawl.processes import CrawlProcess, claim_run, end_process, join_watch
from outrider.crawl.seeds import Start, put_aside, put_idle_crawls_aside, start
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict, InvalidInput
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.settings import Settings
from outrider.sources.model import ADHOC, Filter
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import Policy
from outrider.sources.store import SourceStore
from outrider.urls import UrlKey
from outrider.watch.blocked import queue_all_blocked
from outrider.watch.source_service import SourceService
from outrider.workers.snapshot import CrawlEnding, Snapshot

RECRAWL_PAGE = 1_000
FIRST_KEY = UrlKey(-(2**63), "0" * 32)
EVERYTHING = UrlOwner(0, "all watched sources", Policy())


class Goal(Protocol):
    """What a session is about, how it begins, what it counts, and when it is over."""

    @property
    def names(self) -> Sequence[str]:
        """What people asked for, in their words."""

    @property
    def max_pages(self) -> int | None: ...

    async def begin(self, db: asyncpg.Connection, frontier: FrontierStore) -> Start:
        """Put what is to be done into the queue. One transaction."""

    async def prepare(
        self, connection: ReconnectingConnection, frontier: FrontierStore, begun: Start
    ) -> None:
        """What takes more than one transaction, before the workers start."""

    async def renew(self, db: asyncpg.Connection, begun: Start) -> None:
        """Say now and then that this process is still at it."""

    async def end(self, db: asyncpg.Connection, frontier: FrontierStore, begun: Start) -> None:
        """After the workers have stopped: what becomes of the rest, and that this process is done."""

    def counted(self, begun: Start) -> int | None:
        """The source whose counters are shown; None for all of them."""

    def ending(self, last: Snapshot, settings: Settings) -> CrawlEnding | None:
        """Whether it is over."""


@dataclass(frozen=True, slots=True)
class CrawlGoal:
    """Everything that can be reached from the seeds; with an age also what was fetched longer ago."""

    policy: Policy
    recrawl_age: timedelta | None = None
    process: CrawlProcess = field(default_factory=CrawlProcess.this)

    @property
    def names(self) -> Sequence[str]:
        return self.policy.seeds

    @property
    def max_pages(self) -> int | None:
        return self.policy.max_pages

    async def begin(self, db: asyncpg.Connection, frontier: FrontierStore) -> Start:
        begun = await start(db, self.policy, frontier, StatsStore())
        if not await claim_run(db, begun.source.source_id, self.process):
            raise Conflict("this crawl is already running in another process on the same database")
        return begun

    async def prepare(
        self, connection: ReconnectingConnection, frontier: FrontierStore, begun: Start
    ) -> None:
        """Queue what was fetched before a time, a thousand pages a transaction."""
        if self.recrawl_age is None:
            return
        before = datetime.now(UTC) - self.recrawl_age
        after: UrlKey | None = FIRST_KEY
        while after is not None:

            async def requeue(db: asyncpg.Connection, after: UrlKey = after) -> UrlKey | None:
                source_id = begun.source.source_id
                keys = await frontier.known_before(db, source_id, before, after, RECRAWL_PAGE)
                await frontier.visit_again(db, keys, source_id)
                return keys[-1] if len(keys) == RECRAWL_PAGE else None

            after = await connection.run(requeue, patience_s=10)

    async def renew(self, db: asyncpg.Connection, begun: Start) -> None:
        await claim_run(db, begun.source.source_id, self.process)

    async def end(self, db: asyncpg.Connection, frontier: FrontierStore, begun: Start) -> None:
        """The same crawl goes on with the rest; no other process does, above all not past its page limit."""
        source_id = begun.source.source_id
        if (await StatsStore().totals(db, source_id)).pending:
            await put_aside(db, source_id, frontier)
        await end_process(db, self.process)

    def counted(self, begun: Start) -> int | None:
        return begun.source.source_id

    def ending(self, last: Snapshot, settings: Settings) -> CrawlEnding | None:
        return last.ending(max_pages=self.max_pages, patience_s=settings.crawl.patience_s)


@dataclass(frozen=True, slots=True)
class WatchGoal:
    """All watched sources: until interrupted, or once until nothing more is due."""

    once: bool = False
    process: CrawlProcess = field(default_factory=CrawlProcess.this)

    @property
    def names(self) -> Sequence[str]:
        return (EVERYTHING.name,)

    @property
    def max_pages(self) -> int | None:
        return None

    async def begin(self, db: asyncpg.Connection, frontier: FrontierStore) -> Start:
        await join_watch(db, self.process)
        await put_idle_crawls_aside(db, frontier)
        await SourceService(frontier).wake(db)
        _, watched = await SourceStore().page(db, Filter(enabled=True, limit=1))
        totals = await StatsStore().totals(db)
        if not watched and not (await StatsStore().totals(db, ADHOC)).pending:
            raise InvalidInput("nothing is watched yet: `outrider source add https://example.com` begins")
        return Start(EVERYTHING, totals.pending, ())

    async def prepare(
        self, connection: ReconnectingConnection, frontier: FrontierStore, begun: Start
    ) -> None:
        """Channels are in the queue already; pages that robots.txt blocked may be due for another look."""
        await queue_all_blocked(connection, frontier)

    async def renew(self, db: asyncpg.Connection, begun: Start) -> None:
        await join_watch(db, self.process)

    async def end(self, db: asyncpg.Connection, frontier: FrontierStore, begun: Start) -> None:
        """The rest is due again when its time comes, for the process that watches then."""
        await end_process(db, self.process)

    def counted(self, begun: Start) -> int | None:
        return None

    def ending(self, last: Snapshot, settings: Settings) -> CrawlEnding | None:
        # What was announced is due at once, however far apart its host wants our requests.
        if not self.once or last.pulse.leased or last.resting_in_s is not None:
            return None
        if last.is_searching and settings.feeds.discover:
            return None
        return last.ending(max_pages=None, patience_s=1.0)
