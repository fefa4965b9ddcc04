"""Page limits that hold exactly, however many workers share them.

A worker reserves a few pages at a time from the source's row and uses them one by one. It fetches
only reserved pages, so the crawl never exceeds its limit. The next start of the crawl frees the
pages that a crashed worker had reserved.
"""

import asyncio
from collections import Counter

import asyncpg

from outrider.crawl.plan import CrawlPlan
from outrider.db.reconnecting import ReconnectingConnection
from outrider.sources.page_limit import reserve_pages, return_pages

CHUNK = 8


class PageBudget:
    """This worker's share of every source's page limit."""

    def __init__(self, connection: ReconnectingConnection) -> None:
        self._connection = connection
        self._left: Counter[int] = Counter()
        self._spent_out: dict[int, int] = {}  # source → the limit that it has reached
        self._asking = asyncio.Lock()

    async def take(self, plan: CrawlPlan) -> bool:
        """Whether one more page of this source may be fetched; reserves it."""
        limit = plan.policy.max_pages
        if limit is None:
            return True
        async with self._asking:
            if self._left[plan.source_id] == 0 and self._spent_out.get(plan.source_id) != limit:
                granted = await self._reserve(plan.source_id, limit)
                self._left[plan.source_id] = granted
                if granted == 0:
                    self._spent_out[plan.source_id] = limit
            if self._left[plan.source_id] == 0:
                return False
            self._left[plan.source_id] -= 1
            return True

    def give_back(self, plan: CrawlPlan) -> None:
        """Return a page that was reserved and not fetched."""
        if plan.policy.max_pages is not None:
            self._left[plan.source_id] += 1

    @property
    def is_spent(self) -> bool:
        """Whether a source has reached its limit."""
        return bool(self._spent_out)

    async def settle(self) -> None:
        """Return the unused reserved pages, so that other workers can use them."""

        async def give(db: asyncpg.Connection) -> None:
            for source_id, pages in self._left.items():
                if pages:
                    await return_pages(db, source_id, pages)

        await self._connection.run(give, patience_s=10)
        self._left.clear()

    async def _reserve(self, source_id: int, limit: int) -> int:
        async def ask(db: asyncpg.Connection) -> int:
            return await reserve_pages(db, source_id, CHUNK, limit)

        return await self._connection.run(ask, patience_s=60)
