"""A virtual worker: the lanes, the flusher and the duties of a real one, looked after at every step of time.

A real worker looks for due hosts once a second and writes four times a second. Here both happen once in a
step: what is learned waits for the next step, and so do hosts that come due. A real one that is done with a
host takes the next; here there is a lane for each that is due, or a step would end with the hundredth.
Everything between is the crawler's own.
"""

import asyncio
from dataclasses import replace
from math import inf
from typing import Any

import asyncpg

from outrider.app import watch_tasks_for, worker_context_for
from outrider.crawl.lane import work
from outrider.crawl.pages.reading import Readers
from outrider.crawl.plans import PlanCache
from outrider.crawl.release_listener import ReleaseListener
from outrider.frontier.lease import Lease, Release
from outrider.periodic_tasks import PeriodicTask, attend
from outrider.settings import Settings
from outrider.simulate.chance import dice
from outrider.simulate.connection import VirtualConnection
from outrider.simulate.plan import STEP_S
from outrider.simulate.sites import DAY_S
from outrider.simulate.virtual_time import VirtualClock
from outrider.simulate.web import SimulatedWeb
from outrider.worker_registry.store import WorkerRegistry

RARELY_S = DAY_S
# What looks at every source again and again, or for what only people do: they add sources and wake them.
# A site that did not answer a search is asked again by the hourly one.
_RARE = frozenset(("learn from the ladder", "return channels", "search new sources"))


class Skimmers(Readers):
    """Nobody looks for the main text: pages are kept as the fast path sees them."""

    async def read(self, *page: Any, **hints: Any) -> None:
        return None


class Hand(ReleaseListener):
    """`await Hand.hire(…)`, then `look()` at every step, and `leave()`."""

    def __init__(
        self,
        settings: Settings,
        worker_id: int,
        seed: int,
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
            flush_line=connection,
            ask_line=connection,
            fetcher=web,
            clock=clock,
        )
        context.flusher.holder = self
        context.dice = dice(seed, "worker", worker_id)
        context.readers = Skimmers()
        # Nobody edits a source here, and whether one is to be walked is known before its first visit.
        context.plans = PlanCache(connection, settings.crawl.depth_cap, life_s=inf)
        duties = [
            replace(duty, every_s=RARELY_S if duty.name in _RARE else max(duty.every_s, STEP_S))
            for duty in watch_tasks_for(settings, context, connection)
        ]
        duties.append(PeriodicTask("learn of templates", RARELY_S, self._learn_templates))
        self._chores = asyncio.create_task(attend(duties, STEP_S))

    @classmethod
    async def hire(
        cls,
        settings: Settings,
        seed: int,
        connection: VirtualConnection,
        web: SimulatedWeb,
        clock: VirtualClock,
    ) -> "Hand":
        number = await connection.run(lambda db: WorkerRegistry().register(db, "simulated", 0))
        return cls(settings, number, seed, connection, web, clock)

    async def look(self) -> None:
        """Write what was learned, then take what is due."""
        await self._context.flusher.flush()
        most = self._context.frontier.options.hosts_per_claim
        while await self._take(most) > most // 2:  # a claim hands out a power of two at most
            pass

    def held(self) -> list[int]:
        return list(self._leases)

    async def leave(self) -> None:
        """Finish the requests under way and write the rest."""
        self._context.stopping = True
        await self._connection.when_idle(self._chores.cancel)
        await asyncio.gather(self._chores, *self._lanes.values(), return_exceptions=True)
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
