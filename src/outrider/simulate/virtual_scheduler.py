"""The scheduler of a simulation: the passes of a real scheduler, run at every time step.

A real scheduler looks at its runs every second and for due jobs every ten seconds. This one does both once in
a step, and it has room for every due job, or a step would end with the twentieth run.
"""

import asyncpg

from outrider.app import scheduler_for
from outrider.db.queries import Queries
from outrider.events.outbox import handle_waiting
from outrider.jobs.distribution import distribution
from outrider.jobs.follow import Follower
from outrider.jobs.rebalancing import rebalance
from outrider.jobs.scheduler import Scheduler
from outrider.jobs.store import JobStore
from outrider.runs.model import RunStatus
from outrider.settings import Settings
from outrider.simulate.connection import VirtualConnection
from outrider.simulate.job_figures import JobFindings, SimulatedRun


class VirtualScheduler:
    """`await VirtualScheduler.start(…)`, then `step()` at every time step, and `findings` at the end."""

    def __init__(self, scheduler: Scheduler, connection: VirtualConnection) -> None:
        self._scheduler = scheduler
        self._connection = connection
        self._follower = Follower()
        self._jobs = JobStore()
        self._sql = Queries.load("outrider.simulate")

    @classmethod
    async def start(cls, settings: Settings, connection: VirtualConnection) -> "VirtualScheduler":
        scheduler = scheduler_for(settings, connection)
        await scheduler.register()
        return cls(scheduler, connection)

    async def step(self) -> None:
        """Let jobs follow their sources, end the runs that are over, start the jobs that are due."""
        await handle_waiting(self._connection, self._follower.handle)
        await self._scheduler.renew()
        await self._scheduler.watch_runs()
        await self._scheduler.start_due()

    async def stop(self) -> None:
        """End the runs that are over, then leave as a scheduler does that is told to stop."""
        await self._scheduler.watch_runs()
        await self._scheduler.stop()

    async def findings(self, db: asyncpg.Connection) -> JobFindings:
        """What became of the jobs. Ends with a rebalance, as an operator would ask for it."""
        now, before = await self._jobs.now(db), await self._jobs.slot_entries(db)
        jobs = await db.fetch(self._sql.recurring_jobs)
        runs = [
            SimulatedRun(
                row["job_id"], RunStatus(row["status"]), row["is_retry"], row["started_at"], row["ended_at"]
            )
            for row in await db.fetch(self._sql.runs_of_jobs)
        ]
        async with db.transaction():
            plan = (await rebalance(db)).plan
        after = await self._jobs.slot_entries(db)
        return JobFindings(
            intervals={row["job_id"]: row["interval"] for row in jobs},
            adaptive={row["job_id"]: row["adaptive"] for row in jobs if row["adaptive"] is not None},
            runs=runs,
            ended_at=now,
            before=distribution(before, now),
            after=distribution(after, now),
            rebalance=plan,
        )
