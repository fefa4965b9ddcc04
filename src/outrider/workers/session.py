"""One crawl from start to end: the seeds, the workers, and the watch over both."""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import asyncpg
import structlog

from outrider.crawl.policy import Policy
from outrider.crawl.seeds import Start, start
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.line import Line
from outrider.documents.likeness import Compared, compare
from outrider.documents.store import DocumentStore
from outrider.errors import Conflict, OutriderError, Unavailable
from outrider.frontier.model import Totals
from outrider.frontier.sources import SourceStore
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.settings import Settings
from outrider.urls import UrlKey
from outrider.workers.snapshot import Ending, Snapshot
from outrider.workers.supervisor import Supervisor
from outrider.workers.watch import Pace, SlowHost, WatchStore

log = structlog.get_logger(__name__)

TICK_S = 0.25
RATE_WINDOW_S = 5.0
AWAY_PATIENCE_S = 300.0
CLOSER_LOOK_S = 2.0  # the questions that cost more than a few counters
SLOWEST_SHOWN = 5
COMPARE_REST_S = 10.0
RECRAWL_PAGE = 1_000
FIRST_KEY = UrlKey(-(2**63), "0" * 32)


@dataclass(frozen=True, slots=True)
class Result:
    """How a crawl ended."""

    ending: Ending
    last: Snapshot | None
    start: Start


class Session:
    """Runs one crawl on one database. `interrupt()` drains it; a second one stops it.

    With `recrawl_age` pages that were fetched longer ago than that are asked for again.
    """

    def __init__(
        self,
        settings: Settings,
        dsn: str,
        policy: Policy,
        embedded: EmbeddedPostgres | None = None,
        *,
        recrawl_age: timedelta | None = None,
    ) -> None:
        self._settings = settings
        self._policy = policy
        self._embedded = embedded
        self._recrawl_age = recrawl_age
        self._line = Line(dsn, application_name="outrider crawl")
        self._frontier = FrontierStore(settings.frontier)
        self._sources = SourceStore()
        self._stats = StatsStore()
        self._watch = WatchStore()
        count = settings.crawl.workers or os.cpu_count() or 1
        self._supervisor = Supervisor(settings, dsn, count)
        self._interrupts = 0
        self._samples: deque[tuple[float, int, int]] = deque()
        self._began = time.monotonic()
        self._before = Totals()
        self._pace = Pace()
        self._slowest: Sequence[SlowHost] = ()
        self._look_closer_at = 0.0

    async def run(self, started: Callable[[Start], None], show: Callable[[Snapshot], None]) -> Result:
        """Crawl until there is nothing left to do now."""
        begun = await self._line.run(self._begin, patience_s=10)
        if self._recrawl_age is not None:
            await self._queue_again(begun.source.source_id, datetime.now(UTC) - self._recrawl_age)
        self._began = time.monotonic()
        started(begun)
        last: Snapshot | None = None
        away_since: float | None = None
        try:
            while True:
                self._supervisor.keep_up()
                if self._interrupts:
                    return Result(Ending.INTERRUPTED, last, begun)
                try:
                    last = await self._line.run(lambda db: self._look(db, begun.source.source_id))
                    away_since = None
                    show(last)
                except Unavailable as error:
                    away_since = away_since or time.monotonic()
                    log.warning("database away", error=str(error))
                    if not await self._bring_back() and time.monotonic() - away_since > AWAY_PATIENCE_S:
                        return Result(Ending.UNAVAILABLE, last, begun)
                else:
                    ending = last.ending(
                        max_pages=self._policy.max_pages, patience_s=self._settings.crawl.patience_s
                    )
                    if ending is not None:
                        return Result(ending, last, begun)
                await asyncio.sleep(TICK_S)
        finally:
            await self._finish()

    def interrupt(self) -> None:
        """Once: finish what is under way. Twice: stop at once."""
        self._interrupts += 1
        if self._interrupts > 1:
            self._supervisor.kill()

    async def final(self, source_id: int) -> Snapshot:
        """The figures after everything was written."""
        return await self._line.run(lambda db: self._look(db, source_id), patience_s=10)

    async def close(self) -> None:
        await self._line.close()

    async def _begin(self, db: asyncpg.Connection) -> Start:
        await self._supervisor.recover(db)
        begun = await start(db, self._policy, self._frontier, self._sources, self._stats)
        if not await self._sources.claim_run(db, begun.source.source_id):
            raise Conflict("this crawl is already running in another process on the same database")
        await self._frontier.sweep_lost_hosts(db)
        self._before = await self._stats.totals(db, begun.source.source_id)
        return begun

    async def _queue_again(self, source_id: int, before: datetime) -> None:
        """Queue what was fetched before a time, a thousand pages a transaction."""
        after: UrlKey | None = FIRST_KEY
        while after is not None:

            async def requeue(db: asyncpg.Connection, after: UrlKey = after) -> UrlKey | None:
                keys = await self._frontier.known_before(db, source_id, before, after, RECRAWL_PAGE)
                await self._frontier.requeue(db, keys)
                return keys[-1] if len(keys) == RECRAWL_PAGE else None

            after = await self._line.run(requeue, patience_s=10)

    async def _look(self, db: asyncpg.Connection, source_id: int) -> Snapshot:
        await self._supervisor.recover(db)
        totals = await self._stats.totals(db, source_id)
        if time.monotonic() >= self._look_closer_at:
            self._look_closer_at = time.monotonic() + CLOSER_LOOK_S
            self._pace = await self._watch.pace(db)
            self._slowest = await self._watch.slowest_at_work(db, SLOWEST_SHOWN)
        pages_per_s, bytes_per_s = self._rates(totals.others.get("pages", 0), totals.others.get("bytes", 0))
        leased, due_in_s = await self._watch.standing(db)
        return Snapshot(
            at=time.monotonic() - self._began,
            totals=totals,
            pulse=replace(await self._stats.pulse(db), leased=leased),
            workers=await self._stats.workers(db),
            next_due_in_s=due_in_s,
            before=self._before,
            pages_per_s=pages_per_s,
            bytes_per_s=bytes_per_s,
            deaths=self._supervisor.deaths,
            pace=self._pace,
            slowest=self._slowest,
        )

    def _rates(self, pages: int, size: int) -> tuple[float, float]:
        now = time.monotonic()
        self._samples.append((now, pages, size))
        while now - self._samples[0][0] > RATE_WINDOW_S:
            self._samples.popleft()
        then, pages_then, size_then = self._samples[0]
        span = now - then
        return ((pages - pages_then) / span, (size - size_then) / span) if span else (0.0, 0.0)

    async def _bring_back(self) -> bool:
        """Restart the embedded server if it is ours; a foreign one we can only wait for."""
        if self._embedded is None:
            return False
        try:
            return await asyncio.to_thread(self._embedded.ensure_running)
        except OutriderError as error:
            log.warning("database does not come back", error=str(error))
            return False

    async def _finish(self) -> None:
        await self._supervisor.stop(self._settings.crawl.drain_s + 10)
        with suppress(Unavailable):
            await self._line.run(self._supervisor.recover, patience_s=5)
            if not self._interrupts:
                await self._compare_rest()

    async def _compare_rest(self) -> None:
        """Look for near-duplicates among the last pages, which the workers left no time for."""
        store, give_up_at = DocumentStore(), time.monotonic() + COMPARE_REST_S

        async def compare_some(db: asyncpg.Connection) -> Compared:
            return await compare(db, store, self._frontier.slot)

        while time.monotonic() < give_up_at and not self._interrupts:
            if not (await self._line.run(compare_some)).signed:
                return
