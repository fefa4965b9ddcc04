"""A virtual worker: the lanes, the flusher and the periodic tasks of a real worker, run at every time step.

A real worker claims hosts once a second and flushes four times a second. A virtual worker does both once in
a step: results and due hosts wait for the next step. A real worker has a fixed number of lanes; a virtual
worker has a lane for every due host, or a step would end with the hundredth host. All other code is the
crawler's.
"""

import asyncio
from dataclasses import replace
from math import inf
from typing import Any

import asyncpg

from outrider.app import watch_tasks_for, worker_context_for
from outrider.crawl.lane import work
from outrider.crawl.pages.reading import ReaderPool
from outrider.crawl.plans import PlanCache
from outrider.crawl.release_listener import ReleaseListener
from outrider.frontier.lease import Lease, Release
from outrider.periodic_tasks import PeriodicTask, run_periodically
from outrider.settings import Settings
from outrider.simulate.connection import VirtualConnection
from outrider.simulate.plan import SimulationPlan
from outrider.simulate.random_values import dice
from outrider.simulate.sites import DAY_S
from outrider.simulate.virtual_time import VirtualClock
from outrider.simulate.web import SimulatedWeb
from outrider.worker_registry.store import WorkerRegistry

RARELY_S = DAY_S
# Tasks that scan every source, or that react to operators, who add and wake no sources here.
# The hourly search repeats a search that a site did not answer.
_RARE = frozenset(("learn from discovery statistics", "return channels", "search new sources"))


class NoReaders(ReaderPool):
    """Extracts no main text: pages are kept with the result of the fast scan."""

    async def read(self, *page: Any, **hints: Any) -> None:
        return None


class VirtualWorker(ReleaseListener):
    """`await VirtualWorker.start(…)`, then `step()` at every time step, and `stop()` at the end."""

    def __init__(
        self,
        settings: Settings,
        worker_id: int,
        plan: SimulationPlan,
        connection: VirtualConnection,
        web: SimulatedWeb,
        clock: VirtualClock,
    ) -> None:
        self._connection = connection
        self._lanes: dict[int, asyncio.Task[None]] = {}
        self._leases: dict[int, Lease] = {}
        self._context = context = worker_context_for(
            settings,
            worker_id,
            flush_connection=connection,
            lane_connection=connection,
            fetcher=web,
            clock=clock,
        )
        context.flusher.release_listener = self
        context.dice = dice(plan.seed, "worker", worker_id)
        context.readers = NoReaders()
        # Plans never expire: sources do not change during a simulation.
        context.plans = PlanCache(connection, settings.crawl.depth_cap, life_s=inf)
        tasks = [
            replace(task, every_s=RARELY_S if task.name in _RARE else max(task.every_s, plan.step_s))
            for task in watch_tasks_for(settings, context, connection)
        ]
        tasks.append(PeriodicTask("learn of templates", RARELY_S, self._learn_templates))
        self._periodic_tasks = asyncio.create_task(run_periodically(tasks, plan.step_s))

    @classmethod
    async def start(
        cls,
        settings: Settings,
        plan: SimulationPlan,
        connection: VirtualConnection,
        web: SimulatedWeb,
        clock: VirtualClock,
    ) -> "VirtualWorker":
        worker_id = await connection.run(lambda db: WorkerRegistry().register(db, "simulated", 0))
        return cls(settings, worker_id, plan, connection, web, clock)

    async def step(self) -> None:
        """Flush the results, then claim all due hosts."""
        await self._context.flusher.flush()
        most = self._context.frontier.options.hosts_per_claim
        while await self._take(most) > most // 2:  # a claim hands out a power of two at most
            pass

    def held(self) -> list[int]:
        return list(self._leases)

    async def stop(self) -> None:
        """Finish the requests under way and write the last results."""
        self._context.stopping = True
        await self._connection.when_idle(self._periodic_tasks.cancel)
        await asyncio.gather(self._periodic_tasks, *self._lanes.values(), return_exceptions=True)
        await self._context.flusher.flush()

    async def _take(self, hosts: int) -> int:
        async def claim(db: asyncpg.Connection) -> list[Lease]:
            return await self._context.frontier.claim(db, hosts)

        leases = await self._connection.run(claim)
        for lease in leases:
            if lease.entries:
                self._leases[lease.host_id] = lease
                self._lanes[lease.host_id] = asyncio.create_task(self._run_lane(lease))
            else:
                self._context.flusher.release(Release(lease, lease.state, 0.0))
        return len(leases)

    async def _run_lane(self, lease: Lease) -> None:
        try:
            await work(lease, self._context)
        finally:
            del self._lanes[lease.host_id]
            del self._leases[lease.host_id]

    async def _learn_templates(self) -> None:
        self._context.watch.barren |= await self._connection.run(self._context.frontier.barren_templates)
