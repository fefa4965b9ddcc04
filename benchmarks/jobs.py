"""What many jobs cost a scheduler: to find due ones, place one, rebalance, watch runs and cancel one.

The passes, their statements and their intervals are the product's; no worker takes the runs.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

import asyncpg
import psutil
from benchmarks.against import Pairs, measure_pairs
from benchmarks.cancel import measure_cancel
from benchmarks.place import scratch
from benchmarks.processes import cpu_s
from benchmarks.report import Report

from outrider.db import migrate
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.jobs.placing import SlotChooser
from outrider.jobs.rebalance import plan_rebalance
from outrider.jobs.runner import JobRunner
from outrider.jobs.scheduler import BATCH, Scheduler, SchedulerLimits
from outrider.jobs.starting import start_job
from outrider.jobs.store import JobStore
from outrider.periodic_tasks import run_periodically
from outrider.scheduler.loop import TICK_S, tasks_of
from outrider.watch.source_runs import SourceRuns

JOBS = 10_000
RUNS = 100
POLL_S = 10.0  # the product's default
WATCH_FOR_S = 30.0  # the longest interval of a pass but one
FILL = Path(__file__).with_name("fill_jobs.sql")


@dataclass(frozen=True, slots=True)
class JobCost:
    """What one step takes: wall clock, and CPU of the scheduler and of its PostgreSQL backend."""

    step: str
    times: int
    median_ms: float
    longest_ms: float
    cpu_ms: float
    goal: str = ""


@dataclass(frozen=True, slots=True)
class WatchCost:
    """The CPU of a scheduler that watches runs, in percent of a core."""

    runs: int
    seconds: float
    scheduler_percent: float
    postgres_percent: float


def report(against: Path | None, pairs: int, say: Callable[[str], None]) -> Report:
    """Measure with JOBS jobs; with `against`, also the CPU of a page here and in another checkout."""
    costs, watch = asyncio.run(_measure())
    with scratch() as folder:
        cancelled = measure_cancel(folder)
    compared = None if against is None else measure_pairs(against, pairs, say)
    return Report(
        name="jobs",
        title=f"{JOBS:,} jobs, in ms",
        columns=("", "times", "median", "longest", "CPU", "goal"),
        rows=[
            (
                cost.step,
                str(cost.times),
                f"{cost.median_ms:.1f}",
                f"{cost.longest_ms:.1f}",
                f"{cost.cpu_ms:.1f}",
                cost.goal,
            )
            for cost in costs
        ],
        remarks=[_watched(watch), cancelled.told(), *([] if compared is None else [compared.told()])],
        figures=[*map(asdict, costs), asdict(watch), asdict(cancelled), *_figures(compared)],
    )


def _watched(watch: WatchCost) -> str:
    scheduler, postgres = watch.scheduler_percent, watch.postgres_percent
    return (
        f"One scheduler that watches {watch.runs} runs takes {scheduler + postgres:.2f} % of a core, "
        f"{scheduler:.2f} % itself and {postgres:.2f} % in PostgreSQL, over {watch.seconds:.0f} s. "
        "The goal is under 2 %."
    )


def _figures(compared: Pairs | None) -> list[dict[str, Any]]:
    return [] if compared is None else [asdict(compared)]


async def _measure() -> tuple[list[JobCost], WatchCost]:
    with scratch() as folder, EmbeddedPostgres(folder / "jobs", {}) as server:
        await _fill(server.dsn)
        async with _bench(server.dsn) as bench:
            costs = [
                await bench.take("look for due jobs, none due", bench.due, 50, "100"),
                await bench.take(f"place one job among {JOBS:,}", bench.place, 20),
                await bench.take(f"plan a rebalance of {JOBS:,}", bench.rebalance, 3),
            ]
            await bench.make_due()
            costs += [
                await bench.take(f"look for due jobs, all due, {BATCH} taken", bench.due, 50, "100"),
                await bench.take("start a run", bench.start_one, RUNS - 1),
                await bench.take(f"look at {RUNS} runs", bench.watch, 50),
            ]
            await bench.make_due(after=timedelta(days=1))
            return costs, await bench.watch_for(WATCH_FOR_S)


async def _fill(dsn: str) -> None:
    db = await asyncpg.connect(dsn)
    try:
        await migrate.up(db)
        await db.execute(FILL.read_text().format(jobs=JOBS))
        await db.execute("VACUUM ANALYZE")
    finally:
        await db.close()


@asynccontextmanager
async def _bench(dsn: str) -> AsyncIterator["_Bench"]:
    connection = ReconnectingConnection(dsn, application_name="bench jobs")
    try:
        backend = await connection.run(lambda db: db.fetchval("SELECT pg_backend_pid()"))
        bench = _Bench(connection, psutil.Process(backend))
        await bench.scheduler.register()
        yield bench
    finally:
        await connection.close()


class _Bench:
    """A scheduler on a connection whose backend is watched."""

    def __init__(self, connection: ReconnectingConnection, backend: psutil.Process) -> None:
        frontier = FrontierStore(FrontierOptions())
        runs = SourceRuns(frontier)
        self._runner = JobRunner(runs.start, runs.content_hash, frontier)
        self.scheduler = Scheduler(connection, self._runner, SchedulerLimits(most_runs=2 * RUNS))
        self._connection = connection
        self._backend = backend
        self._jobs = JobStore()
        self._due: list[int] = []

    async def take(
        self, step: str, act: Callable[[], Awaitable[object]], times: int, goal: str = ""
    ) -> JobCost:
        """Do something several times, after once to warm up."""
        await act()
        took_ms = []
        spent_s = self._cpu_s()
        for _ in range(times):
            started = time.perf_counter()
            await act()
            took_ms.append((time.perf_counter() - started) * 1000)
        cpu_ms = (self._cpu_s() - spent_s) / times * 1000
        return JobCost(step, times, median(took_ms), max(took_ms), cpu_ms, goal and f"under {goal}")

    async def due(self) -> None:
        self._due = await self._connection.run(lambda db: self._jobs.due(db, BATCH))

    async def place(self) -> None:
        async def one(db: asyncpg.Connection) -> None:
            await SlotChooser().choose(db, timedelta(minutes=38), await self._jobs.now(db))

        await self._connection.run(one)

    async def rebalance(self) -> None:
        async def plan(db: asyncpg.Connection) -> None:
            found = plan_rebalance(await self._jobs.slot_entries(db), await self._jobs.now(db))
            if found.total_moves < JOBS // 4:
                raise RuntimeError(f"a rebalance of {JOBS} jobs moves only {found.total_moves}")

        await self._connection.run(plan)

    async def make_due(self, after: timedelta = timedelta()) -> None:
        """Every job that does not run is due after this time."""
        await self._connection.run(
            lambda db: db.execute("UPDATE job SET next_run_at = now() + $1 WHERE lock_token IS NULL", after)
        )
        await self._connection.run(lambda db: db.execute("VACUUM ANALYZE job"), is_one_statement=True)

    async def start_one(self) -> None:
        """Start the next job of the batch that was read last."""
        job_id, token, runner = self._due.pop(), self.scheduler.token, self._runner
        if await self._connection.run(lambda db: start_job(db, job_id, token, runner)) is None:
            raise RuntimeError(f"job {job_id} was due and did not start")

    async def watch(self) -> None:
        await self.scheduler.watch_runs()

    async def watch_for(self, seconds: float) -> WatchCost:
        """Run all passes at their intervals, and nothing else."""
        runs = await self.scheduler.watch_runs()
        client_s, server_s = time.process_time(), cpu_s([self._backend])
        started = time.perf_counter()
        try:
            async with asyncio.timeout(seconds):
                await run_periodically(tasks_of(self.scheduler, POLL_S), TICK_S)
        except TimeoutError:
            took_s = time.perf_counter() - started
        return WatchCost(
            runs,
            took_s,
            (time.process_time() - client_s) / took_s * 100,
            (cpu_s([self._backend]) - server_s) / took_s * 100,
        )

    def _cpu_s(self) -> float:
        return time.process_time() + cpu_s([self._backend])
