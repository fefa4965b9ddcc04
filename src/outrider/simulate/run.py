"""Runs the real crawler through a simulated web, from the first source to the last request."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import asyncpg

from outrider.frontier.store import FrontierStore
from outrider.jobs.schedule import Urgency
from outrider.settings import Settings
from outrider.simulate.connection import VirtualConnection
from outrider.simulate.database import prepare
from outrider.simulate.findings import FindingsStore, SimulationFindings
from outrider.simulate.job_figures import JobFindings
from outrider.simulate.plan import SimulationPlan, settings_for
from outrider.simulate.random_values import one_of
from outrider.simulate.sites import DAY_S, Site, make_sites
from outrider.simulate.virtual_scheduler import VirtualScheduler
from outrider.simulate.virtual_time import VirtualClock, VirtualLoop, steady_time
from outrider.simulate.virtual_worker import VirtualWorker
from outrider.simulate.web import LoggedRequest, SimulatedWeb
from outrider.sources.source_changes import SourceChanges
from outrider.watch.source_service import SourceService

# With jobs, the priority of a site decides how often its job runs: most sites are not urgent.
_PRIORITIES = (Urgency.LOW, Urgency.LOW, Urgency.LOW, Urgency.NORMAL, Urgency.NORMAL, Urgency.HIGH)

Progress = Callable[[float, int], None]  # virtual seconds that have passed, and requests made
Step = Callable[[asyncpg.Connection], Awaitable[None]]  # what a caller does at every step


@dataclass(frozen=True, slots=True)
class SimulationRun:
    """The request log of the sites, and the crawler's knowledge at the end."""

    plan: SimulationPlan
    sites: Sequence[Site]
    log: Sequence[LoggedRequest]
    findings: SimulationFindings
    ended_s: float
    jobs: JobFindings | None = None  # None: the plan has no jobs


def simulate(
    plan: SimulationPlan,
    settings: Settings,
    dsn: str,
    progress: Progress = lambda _, __: None,
    *,
    sites: Sequence[Site] | None = None,
    at_each_step: Step | None = None,
) -> SimulationRun:
    """Run a simulation; blocks until the virtual time is over. `sites` replace those of the plan."""
    clock = VirtualClock(plan.start)
    clock.elapsed_s = plan.begins_s
    found = make_sites(plan.seed, plan.hosts, plan.mix) if sites is None else sites
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner, steady_time(clock):
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        simulation = _Simulation(
            plan, settings_for(settings), dsn, clock, loop, progress, found, at_each_step
        )
        runner.run(simulation.run())
        return simulation.result()


class _Simulation:
    def __init__(
        self,
        plan: SimulationPlan,
        settings: Settings,
        dsn: str,
        clock: VirtualClock,
        loop: VirtualLoop,
        progress: Progress,
        sites: Sequence[Site],
        at_each_step: Step | None,
    ) -> None:
        self._plan = plan
        self._settings = settings
        self._clock = clock
        self._progress = progress
        self._connection = VirtualConnection(dsn, clock, loop)
        self._sites = sites
        self._at_each_step = at_each_step
        self._web = SimulatedWeb(self._sites, clock, settings.fetch.timeout_s)
        self._frontier = FrontierStore(settings.frontier)
        self._store = FindingsStore()
        self._findings = SimulationFindings()
        self._jobs: JobFindings | None = None

    def result(self) -> SimulationRun:
        """The result, after `run`. `run` does not return it, because the runner would format a long log."""
        return SimulationRun(
            self._plan, self._sites, self._web.log, self._findings, self._clock.elapsed_s, self._jobs
        )

    async def run(self) -> None:
        try:
            await self._connection.begin(prepare, self._add_sources)
            workers = deque([await self._start_worker() for _ in range(self._plan.workers)])
            scheduler = await self._start_scheduler()
            await self._pass_time(workers, scheduler)
            for worker in workers:
                await worker.stop()
            self._findings = await self._connection.run(self._store.read)
            if scheduler is not None:
                await scheduler.stop()
                self._jobs = await self._connection.run(scheduler.findings)
        finally:
            await self._connection.close()

    async def _start_worker(self) -> VirtualWorker:
        return await VirtualWorker.start(self._settings, self._plan, self._connection, self._web, self._clock)

    async def _start_scheduler(self) -> VirtualScheduler | None:
        return await VirtualScheduler.start(self._settings, self._connection) if self._plan.has_jobs else None

    async def _pass_time(self, workers: deque[VirtualWorker], scheduler: VirtualScheduler | None) -> None:
        keep_house_at = self._clock.elapsed_s
        while self._clock.elapsed_s < self._plan.lasts_s:
            if self._clock.elapsed_s >= keep_house_at:
                keep_house_at += DAY_S
                await self._connection.run(self._frontier.run_maintenance)
            if scheduler is not None:
                await scheduler.step()
            for worker in workers:
                await worker.step()
            if self._at_each_step is not None:
                await self._connection.run(self._at_each_step)
            workers.rotate()  # the first worker of a step claims most hosts
            self._progress(self._clock.elapsed_s, len(self._web.log))
            await asyncio.sleep(self._plan.step_s)

    async def _add_sources(self, db: asyncpg.Connection) -> None:
        source_service, policy = SourceService(self._frontier), self._plan.policy
        async with db.transaction():
            for site in self._sites:
                changes = SourceChanges(
                    name=site.name or site.host,
                    url=f"{site.origin}/",
                    mode=policy.mode,
                    labels=site.labels,
                    priority=one_of(_PRIORITIES, site.seed, site.host, "priority")
                    if self._plan.has_jobs
                    else None,
                    policy=policy.of_source(),
                )
                await source_service.add(db, changes)
