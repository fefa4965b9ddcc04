"""A cache of the sources' policies, each read from the database and kept for a while (FET-19)."""

import asyncio
import time

import asyncpg

from outrider.crawl.plan import CrawlPlan
from outrider.db.reconnecting import ReconnectingConnection
from outrider.sources.owners import owner_by_id

LIFE_S = 300.0
CRAWL_LIFE_S = 10.0  # a crawl that is started again may have another policy


class PlanCache:
    """The plans of the sources whose entries this worker visits."""

    def __init__(self, connection: ReconnectingConnection, depth_cap: int, *, life_s: float = LIFE_S) -> None:
        self._connection = connection
        self._depth_cap = depth_cap
        self._life_s = life_s
        self._plans: dict[int, tuple[CrawlPlan, float]] = {}
        self._reading: dict[int, asyncio.Task[CrawlPlan]] = {}

    def held(self, source_id: int) -> CrawlPlan | None:
        """The plan of a source, if it was read a short while ago."""
        known = self._plans.get(source_id)
        if known is not None and known[1] > time.monotonic():
            return known[0]
        return None

    async def of(self, source_id: int) -> CrawlPlan:
        """The plan of a source, read from the database if it is not held."""
        held = self.held(source_id)
        if held is not None:
            return held
        reading = self._reading.get(source_id)
        if reading is None:
            reading = self._reading[source_id] = asyncio.create_task(self._read(source_id))
            reading.add_done_callback(lambda _: self._reading.pop(source_id))
        # All lanes miss a plan at the same moment and share one read. It outlives a lane that is cancelled.
        return await asyncio.shield(reading)

    async def _read(self, source_id: int) -> CrawlPlan:
        async def read(db: asyncpg.Connection) -> CrawlPlan:
            return CrawlPlan.of(await owner_by_id(db, source_id), self._depth_cap)

        plan = await self._connection.run(read, patience_s=60)
        life_s = self._life_s if plan.is_watched else min(self._life_s, CRAWL_LIFE_S)
        self._plans[source_id] = (plan, time.monotonic() + life_s)
        return plan
