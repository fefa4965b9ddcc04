"""One run from start to end: its goal, its workers, and the monitoring of both."""

import asyncio
import math
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import asyncpg

from outrider.crawl.seeds import StartedCrawl
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.store import DocumentStore
from outrider.errors import OutriderError, Unavailable
from outrider.frontier.counter_name import CounterName
from outrider.frontier.model import Totals
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.log_archive import log_archive_of, log_copy_of
from outrider.logs import get_logger
from outrider.run_logs.archive import finish_log
from outrider.settings import Settings
from outrider.supervision.fork_server import stop_fork_server
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.cancellable_query import CancellableQuery
from outrider.workers.comparison import compare_some
from outrider.workers.goals import Goal
from outrider.workers.housekeeping import Housekeeping
from outrider.workers.monitor_queries import MonitorQueries, RequestIntervals, SlowHost
from outrider.workers.snapshot import CrawlEnding, Snapshot
from outrider.workers.supervisor import Supervisor

log = get_logger()

TICK_S = 0.25
FIRST_TICK_S = 0.03  # a crawl of a few pages ends within moments
TICK_SHARE = 0.1  # of the time since the start, until a tick takes TICK_S
RATE_WINDOW_S = 5.0
AWAY_PATIENCE_S = 300.0
RENEW_S = 5.0
CLOSER_LOOK_S = 2.0  # between two runs of the queries that cost more than a few counters
SLOWEST_SHOWN = 5
SCHEDULER_STOP_S = 5.0
LAST_PASS = 500  # documents compared at a time after the workers: nothing else waits for this process
COMPARE_PATIENCE_S = 60.0  # with a database that is away, before the rest is left to the next command
LAST_WORD_S = 8.0  # longest wait for the database after an interrupt


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """How a crawl ended."""

    ending: CrawlEnding
    last: Snapshot | None
    start: StartedCrawl
    error: str | None = None  # of the workers, when they fail again and again


class Session:
    """Runs workers on a database until a goal is reached. `interrupt()` drains; a second one stops."""

    def __init__(
        self,
        settings: Settings,
        dsn: str,
        goal: Goal,
        silent: Callable[[], None],
        embedded: EmbeddedPostgres | None = None,
    ) -> None:
        """`silent` is called when the database has not answered for a while."""
        self._settings = settings
        self._dsn = dsn
        self._goal = goal
        self._scheduler: asyncio.Task[None] | None = None
        self._schedule_ends = asyncio.Event()
        self._ending_server: asyncio.Task[None] | None = None
        self._embedded = embedded
        through_pooler = settings.database.through_pooler
        self._connection = ReconnectingConnection(
            dsn, application_name="outrider crawl", through_pooler=through_pooler
        )
        self._query = CancellableQuery(self._connection, silent)
        self._frontier = FrontierStore(settings.frontier)
        self._stats = StatsStore()
        self._registry = WorkerRegistry()
        self._monitor = MonitorQueries()
        count = settings.crawl.workers or os.cpu_count() or 1
        self._supervisor = Supervisor(settings, dsn, count, gives_up=goal.ends_by_itself)
        self._draining = asyncio.Event()
        self._stopped = asyncio.Event()
        self._samples: deque[tuple[float, int, int]] = deque()
        self._began = time.monotonic()
        self._before = Totals()
        self._pace = RequestIntervals()
        self._slowest: Sequence[SlowHost] = ()
        self._look_closer_at = 0.0
        self._renew_at = 0.0
        self._ending = CrawlEnding.INTERRUPTED
        self._housekeeping = Housekeeping(self._frontier, time.monotonic())

    async def run(
        self, started: Callable[[StartedCrawl], None], show: Callable[[Snapshot], None]
    ) -> CrawlResult:
        """Crawl until there is nothing left to do now."""
        begun = await self._query.wait(
            self._connection.run(self._begin, patience_s=10), self._stopped, is_quick=False
        )
        preparing = self._goal.prepare(self._connection, self._frontier, begun)
        await self._query.wait(preparing, self._stopped, is_quick=False)
        self._began = time.monotonic()
        started(begun)
        if self._goal.runs_jobs and self._settings.jobs.enabled:
            from outrider.scheduler.loop import run_scheduler  # most of it is slow to import

            self._scheduler = asyncio.create_task(
                run_scheduler(self._settings, self._dsn, self._schedule_ends)
            )
        try:
            result = await self._keep_watch(begun, show)
            self._ending = result.ending
            if result.ending is CrawlEnding.CANCELLED:
                self._draining.set()  # end soon, as after an interrupt
            return result
        finally:
            await self._finish(begun, show)

    def interrupt(self) -> None:
        """Once: finish what is under way. Twice: stop at once."""
        if self._draining.is_set():
            self._stopped.set()
            self._supervisor.kill()
        self._draining.set()

    async def final_snapshot(self, begun: StartedCrawl) -> Snapshot:
        """The figures after everything was written."""
        return await self._query.wait(
            self._ask(begun, patience_s=10), self._stopped, within_s=self._patience_s
        )

    def lines_lost(self) -> int:
        """How many log lines of workers were lost without a line about it in the log."""
        return self._supervisor.lines_lost()

    async def close(self) -> None:
        if self._ending_server is not None:
            await self._ending_server
        await self._query.close_connection()

    @property
    def _tick_s(self) -> float:
        """The pause between two looks, short at the start."""
        return min(max((time.monotonic() - self._began) * TICK_SHARE, FIRST_TICK_S), TICK_S)

    @property
    def _patience_s(self) -> float | None:
        return LAST_WORD_S if self._draining.is_set() else None

    async def _keep_watch(self, begun: StartedCrawl, show: Callable[[Snapshot], None]) -> CrawlResult:
        last: Snapshot | None = None
        away_since: float | None = None
        while not self._draining.is_set():
            self._supervisor.replace_ended()
            if self._supervisor.is_hopeless:
                return CrawlResult(CrawlEnding.WORKERS_FAIL, last, begun, self._supervisor.last_error)
            try:
                before, last = last, await self._query.wait(self._ask(begun), self._draining)
                away_since = None
                if before is not None and before.totals != last.totals:
                    self._supervisor.note_progress()
                show(last)
            except Unavailable as error:
                if self._draining.is_set():
                    break
                away_since = away_since or time.monotonic()
                self._supervisor.note_away()
                log.warning("database away", error=str(error))
                if not await self._bring_back() and time.monotonic() - away_since > AWAY_PATIENCE_S:
                    return CrawlResult(CrawlEnding.UNAVAILABLE, last, begun)
            else:
                ending = self._goal.ending(last, self._settings)
                if ending is not None:
                    return CrawlResult(ending, last, begun)
            await asyncio.sleep(self._tick_s)
        return CrawlResult(CrawlEnding.INTERRUPTED, last, begun)

    async def _ask(self, begun: StartedCrawl, patience_s: float = 0.0) -> Snapshot:
        return await self._connection.run(lambda db: self._look(db, begun), patience_s=patience_s)

    async def _begin(self, db: asyncpg.Connection) -> StartedCrawl:
        await self._supervisor.recover(db)
        begun = await self._goal.begin(db, self._frontier)
        await self._frontier.run_maintenance(db)
        self._before = await self._stats.totals(db, self._goal.counted_source(begun))
        return begun

    async def _look(self, db: asyncpg.Connection, begun: StartedCrawl) -> Snapshot:
        await self._supervisor.recover(db)
        if time.monotonic() >= self._renew_at:
            self._renew_at = time.monotonic() + RENEW_S
            await self._goal.renew(db, self._frontier, begun)
        await self._housekeeping.run_if_due(db, time.monotonic())
        # Read before the totals: when a host is released after its last page, no page must seem to wait.
        host_activity = await self._monitor.host_activity(db)
        totals = await self._stats.totals(db, self._goal.counted_source(begun))
        if time.monotonic() >= self._look_closer_at:
            self._look_closer_at = time.monotonic() + CLOSER_LOOK_S
            self._pace = await self._monitor.pace(db)
            self._slowest = await self._monitor.slowest_at_work(db, SLOWEST_SHOWN)
        pages_per_s, bytes_per_s = self._rates(
            totals.others.get(CounterName.PAGES, 0), totals.others.get(CounterName.BYTES, 0)
        )
        # Read after the totals: an empty queue of a cancelled run must not look finished.
        is_cancelled = await self._goal.is_cancelled(db, begun)
        return Snapshot(
            at=time.monotonic() - self._began,
            totals=totals,
            host_counts=replace(await self._stats.host_counts(db), leased=host_activity.leased),
            workers=await self._registry.live(db),
            next_due_in_s=host_activity.due_in_s,
            resting_in_s=host_activity.resting_in_s,
            is_searching=host_activity.is_searching,
            is_cancelled=is_cancelled,
            before=self._before,
            pages_per_s=pages_per_s,
            bytes_per_s=bytes_per_s,
            deaths=self._supervisor.deaths,
            worker_error=self._supervisor.last_error if self._supervisor.is_failing else None,
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
        """Restart the embedded server, if there is one; False for an external server."""
        if self._embedded is None:
            return False
        try:
            return await asyncio.to_thread(self._embedded.ensure_running)
        except OutriderError as error:
            log.warning("database does not come back", error=str(error))
            return False

    async def _finish(self, begun: StartedCrawl, show: Callable[[Snapshot], None]) -> None:
        if self._scheduler is not None:
            self._schedule_ends.set()
            await asyncio.wait([self._scheduler], timeout=SCHEDULER_STOP_S)
            self._scheduler.cancel()
        is_drained = asyncio.Event()
        looking = asyncio.create_task(self._keep_looking(begun, show, is_drained))
        await self._supervisor.stop(self._settings.crawl.drain_s + 10)
        self._ending_server = asyncio.create_task(asyncio.to_thread(stop_fork_server))
        is_drained.set()
        await asyncio.gather(looking, return_exceptions=True)  # the next query meets the same error
        with suppress(Unavailable):
            freed = self._connection.run(lambda db: self._settle(db, begun), patience_s=5)
            await self._query.wait(freed, self._stopped, within_s=self._patience_s)
            await self._query.wait(self._end_log(begun), self._stopped, within_s=self._patience_s)
            await self._query.wait(self._compare_rest(begun, show), self._draining, is_quick=False)

    async def _settle(self, db: asyncpg.Connection, begun: StartedCrawl) -> None:
        """After all workers have ended, free their hosts, and let other processes run this crawl."""
        self._renew_at = math.inf
        await self._supervisor.recover(db)
        await self._goal.end(db, self._frontier, begun, self._ending)

    async def _end_log(self, begun: StartedCrawl) -> None:
        """Archive the log of the run, if it has ended: no worker writes to it any more."""
        if begun.run is not None and self._settings.run_logs.enabled:
            copy = log_copy_of(self._settings, self._connection)
            await finish_log(self._connection, log_archive_of(self._settings), begun.run_id, copy)

    async def _keep_looking(
        self, begun: StartedCrawl, show: Callable[[Snapshot], None], is_drained: asyncio.Event
    ) -> None:
        """Show snapshots while the workers drain, because they may wait for the database."""
        while not is_drained.is_set():
            with suppress(Unavailable):
                show(await self._query.wait(self._ask(begun), is_drained))
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_S):
                    await is_drained.wait()

    async def _compare_rest(self, begun: StartedCrawl, show: Callable[[Snapshot], None]) -> None:
        """Compare the documents that the workers left, until none is left or the session is interrupted."""
        store = DocumentStore()
        left = await self._connection.run(store.count_unsigned, patience_s=COMPARE_PATIENCE_S)
        if not left:
            return
        last = await self._ask(begun, COMPARE_PATIENCE_S)
        while left and not self._draining.is_set():
            show(replace(last, at=time.monotonic() - self._began, uncompared=left))
            compared = await self._connection.run(
                lambda db: compare_some(db, store, self._frontier, LAST_PASS), patience_s=COMPARE_PATIENCE_S
            )
            left -= compared.signed
            if not compared.signed:  # another process compares right now
                await asyncio.sleep(TICK_S)
            if not compared.signed or left <= 0:
                left = await self._connection.run(store.count_unsigned, patience_s=COMPARE_PATIENCE_S)
