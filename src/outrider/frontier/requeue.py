"""Addresses known already: asked for again, sooner, for somebody else, or not for now."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

import asyncpg

from outrider.frontier.part import Part
from outrider.urls import UrlKey


class Requeues(Part):
    """Changes what is queued; whichever hosts have something to do by it are woken."""

    async def requeue(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], priority: int | None = None
    ) -> int:
        """Put addresses that are not queued back in the queue, as good as new; returns how many."""
        rows = await db.fetch(
            self._sql.requeue, [key.host_id for key in keys], [key.hash for key in keys], priority, self.slot
        )
        await self._wake(db, rows)
        return sum(row["urls"] for row in rows)

    async def hasten(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> int:
        """Ask for these addresses now, unless they wait after a failure; how many were not due?"""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.hasten, hosts, hashes)
        await self._wake(db, rows)
        hastened: int = sum(row["urls"] for row in rows)
        return hastened + await self.requeue(db, keys)

    async def trail(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> list[UrlKey]:
        """These addresses, and those their redirects led to."""
        rows = await db.fetch(self._sql.trail, [key.host_id for key in keys], [key.hash for key in keys])
        return [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]

    async def adopt(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], source_id: int, priority: int
    ) -> int:
        """Addresses known through other sources become this one's; returns how many."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.adopt, hosts, hashes, source_id, priority, self.slot)
        await self._wake(db, rows)
        return sum(row["urls"] for row in rows)

    async def clear_pending(
        self, db: asyncpg.Connection, source_id: int | None = None, host_id: int | None = None
    ) -> int:
        """Empty the queue, or that part of it (FRO-19); returns how many pages it lost."""
        cleared: int = await db.fetchval(self._sql.clear_pending, source_id, host_id, self.slot)
        return cleared

    async def blocked_by_robots(
        self, db: asyncpg.Connection, host_id: int, after: str, limit: int
    ) -> list[tuple[UrlKey, str]]:
        """A page of the URLs that robots.txt kept us from: dead ones, and channels that wait for a look."""
        rows = await db.fetch(self._sql.blocked_urls, host_id, after, limit)
        return [(UrlKey(host_id, row["url_hash"].hex), row["url"]) for row in rows]

    async def known_before(
        self, db: asyncpg.Connection, source_id: int, before: datetime, after: UrlKey, limit: int
    ) -> list[UrlKey]:
        rows = await db.fetch(self._sql.known_before, source_id, before, after.host_id, after.hash, limit)
        return [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]

    async def hold_source(self, db: asyncpg.Connection, source_id: int) -> None:
        """Its queued URLs step out of the claim, not out of mind; those another source wants are its now."""
        await db.execute(self._sql.hold_source, source_id)
        await self._wake(db, await db.fetch(self._sql.hand_over, source_id, self.slot))

    async def resume_source(self, db: asyncpg.Connection, source_id: int) -> None:
        await self._wake(db, await db.fetch(self._sql.resume_source, source_id))

    async def _wake(self, db: asyncpg.Connection, rows: Iterable[Any]) -> None:
        hosts = {row["host_id"]: row["prio"] for row in rows}
        if hosts:
            await db.execute(self._sql.wake_hosts, list(hosts), list(hosts.values()))
