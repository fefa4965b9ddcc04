"""One run from start to end: what is to be done, the workers who do it, and the watch over both."""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import asyncpg
import structlog

from outrider.crawl.seeds import Start
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.line import Line
from outrider.documents.likeness import Compared, compare
from outrider.documents.store import DocumentStore
from outrider.errors import OutriderError, Unavailable
from outrider.frontier.model import Totals
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.settings import Settings
from outrider.workers.goals import Goal
from outrider.workers.snapshot import Ending, Snapshot
from outrider.workers.supervisor import Supervisor
from outrider.workers.watch import Pace, SlowHost, WatchStore

log = structlog.get_logger(__name__)

TICK_S = 0.25
RATE_WINDOW_S = 5.0
AWAY_PATIENCE_S = 300.0
HOUSE_S = 3600.0
CLOSER_LOOK_S = 2.0  # the questions that cost more than a few counters
SLOWEST_SHOWN = 5
COMPARE_REST_S = 10.0


@dataclass(frozen=True, slots=True)
class Result:
    """How a crawl ended."""

    ending: Ending
    last: Snapshot | None
    start: Start


class Session:
    """Runs workers on a database until a goal is reached. `interrupt()` drains; a second one stops."""

    def __init__(
        self,
        settings: Settings,
        dsn: str,
        goal: Goal,
        embedded: EmbeddedPostgres | None = None,
    ) -> None:
        self._settings = settings
        self._goal = goal
        self._embedded = embedded
        self._line = Line(dsn, application_name="outrider crawl")
        self._frontier = FrontierStore(settings.frontier)
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
        self._keep_house_at = time.monotonic() + HOUSE_S

    async def run(self, started: Callable[[Start], None], show: Callable[[Snapshot], None]) -> Result:
        """Crawl until there is nothing left to do now."""
        begun = await self._line.run(self._begin, patience_s=10)
        await self._goal.prepare(self._line, self._frontier, begun)
        counted = self._goal.counted(begun)
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
                    last = await self._line.run(lambda db: self._look(db, counted))
                    away_since = None
                    show(last)
                except Unavailable as error:
                    away_since = away_since or time.monotonic()
                    log.warning("database away", error=str(error))
                    if not await self._bring_back() and time.monotonic() - away_since > AWAY_PATIENCE_S:
                        return Result(Ending.UNAVAILABLE, last, begun)
                else:
                    ending = self._goal.ending(last, self._settings)
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

    async def final(self, begun: Start) -> Snapshot:
        """The figures after everything was written."""
        return await self._line.run(lambda db: self._look(db, self._goal.counted(begun)), patience_s=10)

    async def close(self) -> None:
        await self._line.close()

    async def _begin(self, db: asyncpg.Connection) -> Start:
        await self._supervisor.recover(db)
        begun = await self._goal.begin(db, self._frontier)
        await self._frontier.keep_house(db)
        self._before = await self._stats.totals(db, self._goal.counted(begun))
        return begun

    async def _look(self, db: asyncpg.Connection, source_id: int | None) -> Snapshot:
        await self._supervisor.recover(db)
        if time.monotonic() >= self._keep_house_at:
            self._keep_house_at = time.monotonic() + HOUSE_S
            if lost := await self._frontier.keep_house(db):
                log.error("lost hosts found and woken", hosts=lost)
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
