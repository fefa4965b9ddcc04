"""The passes of a scheduler: start due jobs, watch runs, take over runs of dead schedulers. One pass each.

Several schedulers share the jobs. A scheduler holds the lock of each job that it runs by its token, and
renews its locks. Every decision uses the time of the database.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID, uuid4

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import LockLost, Unavailable
from outrider.events.log import write_events
from outrider.jobs.figures import read_figures
from outrider.jobs.finishing import fail_job, finish_job
from outrider.jobs.locks import STALE_AFTER
from outrider.jobs.progress import ProgressReports
from outrider.jobs.run_error import RunError
from outrider.jobs.runner import JobRunner
from outrider.jobs.starting import NotStarted, start_job
from outrider.jobs.store import JobStore
from outrider.jobs.timeouts import EXECUTION_TIMEOUT, timeout_error
from outrider.logs import get_logger
from outrider.machine import is_alive, machine_id
from outrider.runs.model import CancelledBy, Run
from outrider.runs.store import RunStore
from outrider.sources.store import SourceStore

if TYPE_CHECKING:
    from outrider.jobs.adaptive_mirror import AdaptiveMirror

log = get_logger()

BATCH = 100  # due jobs read at once (SCH-04)
PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class SchedulerLimits:
    """How much one scheduler runs, and when it gives up on others."""

    most_runs: int = 20
    stale_after_s: float = STALE_AFTER.total_seconds()
    timeout_s: float = EXECUTION_TIMEOUT.total_seconds()


class WatchedRun(NamedTuple):
    """A job of this scheduler and its open run. `run_id` None: the row of the run is gone."""

    job_id: int
    run_id: int | None
    is_cancelled: bool | None
    running_s: float | None
    waiting: int
    source_was: str | None  # disabled or removed
    job_public_id: UUID
    execution_id: UUID | None
    execution_number: int | None
    settled: int
    pages: int
    dead: int

    @property
    def may_be_over(self) -> bool:
        return self.run_id is None or bool(self.is_cancelled) or self.waiting <= 0


class Scheduler:
    """One scheduler. Its methods are passes; `scheduler/loop.py` repeats them."""

    def __init__(
        self,
        connection: ReconnectingConnection,
        runner: JobRunner,
        limits: SchedulerLimits | None = None,
        *,
        pid: int | None = None,
        alive: Callable[[int], bool] = is_alive,
        mirror: "AdaptiveMirror | None" = None,
        written: Callable[[], None] = lambda: None,
    ) -> None:
        """`written` is called after a pass has committed events."""
        self.token: UUID = uuid4()
        self.runs = 0
        self._checked_at: datetime | None = None
        self._connection = connection
        self._runner = runner
        self._limits = limits or SchedulerLimits()
        self._pid = pid or os.getpid()
        self._alive = alive
        self._mirror = mirror
        self._written = written
        self._progress = ProgressReports()
        self._sql = Queries.load("outrider.jobs")
        self._jobs = JobStore()

    async def register(self) -> None:
        """Record that this scheduler exists."""
        args = (self.token, machine_id(), self._pid)
        await self._run(lambda db: db.execute(self._sql.register_scheduler, *args))

    async def start_due(self, *, asked_for: bool = False) -> int:
        """Start due jobs, as many as this scheduler may run at once (SCH-02, SCH-17); returns how many.

        `asked_for`: only those that an operator wants to run now.
        """
        started = lost = 0
        self._checked_at = await self._run(self._jobs.now)
        while (room := min(BATCH, self._limits.most_runs - self.runs)) > 0:
            due = await self._run(partial(self._jobs.due, most=room, asked_for=asked_for))
            before = started
            for job_id in due:
                start = partial(start_job, job_id=job_id, token=self.token, runner=self._runner)
                outcome = await self._run(start)
                if isinstance(outcome, Run):
                    started += 1
                    self.runs += 1
                elif outcome is NotStarted.LOST:
                    lost += 1
            if len(due) < room or started == before:
                break
        if lost:
            await self._run(lambda db: db.execute(self._sql.count_lost_races, self.token, lost))
        if started:
            self._written()
        return started

    async def watch_runs(self) -> int:
        """End the runs that are over, cancel those that take too long (JOB-19); returns how many go on.

        Events report the progress of those that go on (SSE-04).
        """
        going_on = []
        watched = await self._run(self._watched)
        for each in watched:
            if each.run_id is not None and not each.is_cancelled:
                await self._cancel_if_needed(each.run_id, each)
            if not (each.may_be_over and await self._finish(each.job_id)):
                going_on.append(each)
        self.runs = len(going_on)
        news = self._progress.due(going_on, time.monotonic())
        if news:
            await self._run(lambda db: write_events(db, news))
        if news or len(going_on) < len(watched):
            self._written()
        return len(going_on)

    async def renew(self) -> int:
        """Renew the locks of all runs of this scheduler (SCH-11); returns how many it holds."""
        renewed: int = await self._run(lambda db: db.fetchval(self._sql.renew_locks, self.token))
        return renewed

    async def take_over(self) -> int:
        """Take over runs of schedulers that died or stopped (SCH-09, SCH-10, SCH-13); returns how many."""
        await self._run(self._record_dead_neighbours)
        taken = await self._run(self._take_over)
        if taken:
            log.warning("took over runs of another scheduler", jobs=[row["job_id"] for row in taken])
        self.runs += len(taken)
        return len(taken)

    async def _take_over(self, db: asyncpg.Connection) -> list[Any]:
        await db.execute(self._sql.lock_take_over)
        stale_after_s = self._limits.stale_after_s
        taken: list[Any] = await db.fetch(self._sql.take_over_stale, self.token, stale_after_s, BATCH)
        return taken

    async def report(self) -> dict[str, Any]:
        """Store the figures of this scheduler (SCH-14); returns them."""

        async def write(db: asyncpg.Connection) -> dict[str, Any]:
            found = await read_figures(db)
            figures = {
                "jobs": dict(found.jobs),
                "total_executions": found.total_executions,
                "running": found.running,
                "average_duration_s": found.average_duration_s,
                "success_rate": found.success_rate,
                "stale_locks_cleared": await db.fetchval(self._sql.stale_locks_cleared, self.token),
                "last_check_at": None if self._checked_at is None else self._checked_at.isoformat(),
                "last_metrics_update": found.now.isoformat(),
            }
            await db.execute(self._sql.write_scheduler_stats, self.token, figures)
            return figures

        figures: dict[str, Any] = await self._run(write)
        return figures

    async def stop(self) -> None:
        """Record the stop: other schedulers take the runs over at once."""
        await self._run(lambda db: db.execute(self._sql.record_scheduler_stop, self.token))
        if self._mirror is not None:
            await self._mirror.close()

    async def _watched(self, db: asyncpg.Connection) -> list[WatchedRun]:
        return [WatchedRun(*row) for row in await db.fetch(self._sql.watched_runs, self.token)]

    async def _finish(self, job_id: int) -> bool:
        """Whether the run of this job is over, or another scheduler's now."""
        finish = partial(finish_job, job_id=job_id, token=self.token, runner=self._runner)
        try:
            ended = await self._run(finish)
            if ended is not None and self._mirror is not None:
                await self._show_adaptive_state(self._mirror, ended.source_id)
            return ended is not None
        except LockLost as lost:
            log.warning("lost a run", job_id=job_id, why=str(lost))
            return True
        except Unavailable:
            raise
        except Exception as error:
            log.exception("run could not be ended", job_id=job_id)
            why = RunError.of(error)
            await self._run(partial(fail_job, job_id=job_id, token=self.token, runner=self._runner, why=why))
            return True

    async def _show_adaptive_state(self, mirror: "AdaptiveMirror", source_id: int) -> None:
        source = await self._run(lambda db: SourceStore().if_watched(db, source_id))
        state = await self._run(lambda db: self._jobs.adaptive_state(db, source_id))
        if source is not None and state is not None:
            await mirror.put(source.public_id, state)

    async def _cancel_if_needed(self, run_id: int, watched: WatchedRun) -> None:
        """Cancel a run that takes too long, or whose source was disabled or removed."""
        late = timeout_error(watched.running_s or 0.0, self._limits.timeout_s)
        if watched.source_was is not None:
            why, by = f"the source was {watched.source_was}", CancelledBy.OPERATOR
        elif late is not None:
            why, by = late.message, CancelledBy.TIMEOUT
        else:
            return
        log.warning("cancelling a run", run=run_id, why=why)
        await self._run(lambda db: RunStore().ask_to_cancel(db, run_id, why, by))

    async def _record_dead_neighbours(self, db: asyncpg.Connection) -> None:
        """Record the stop of schedulers of this machine whose process is gone: their locks are stale now."""
        for row in await db.fetch(self._sql.dead_schedulers, machine_id()):
            if row["token"] != self.token and not self._alive(row["pid"]):
                await db.execute(self._sql.record_scheduler_stop, row["token"])

    async def _run(self, work: Callable[[asyncpg.Connection], Any]) -> Any:
        return await self._connection.run(work, patience_s=PATIENCE_S)
