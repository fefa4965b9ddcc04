"""Addresses known already: asked for again, sooner, for another source, or not for now."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import asyncpg

from outrider.frontier.model import LINK_ORIGINS, ORIGIN_CODE, Submission, UrlOrigin
from outrider.frontier.priority import DEFAULT
from outrider.frontier.sharing import Sharing
from outrider.urls import UrlKey


class Requeues(Sharing):
    """Changes what is queued; whichever hosts have something to do by it are woken."""

    async def requeue(
        self,
        db: asyncpg.Connection,
        keys: Collection[UrlKey],
        priority: int | None = None,
        source_id: int | None = None,
    ) -> int:
        """Put addresses that are not queued back in the queue, as good as new; returns how many.

        The visit of a shared page is for the source that is named, otherwise for every source that wants it.
        """
        rows = await db.fetch(
            self._sql.requeue, [key.host_id for key in keys], [key.hash for key in keys], priority, self.slot
        )
        if any(row["shared"] for row in rows):
            await self.wait_again(db, keys, source_id)
        await self.wake(db, rows)
        return sum(row["urls"] for row in rows)

    async def visit_again(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], source_id: int, priority: int | None = None
    ) -> int:
        """Have known pages visited once more for one source, whichever source asked for them first.

        Returns how many were not queued. Those that are queued for later keep their time.
        """
        wanted = [_wanted(key, source_id, priority) for key in keys]
        if wanted:
            await self.share(db, wanted)
            await self.wait_again(db, keys, source_id)
        return await self.requeue(db, keys, priority, source_id)

    async def announce(
        self,
        db: asyncpg.Connection,
        keys: Sequence[UrlKey],
        source_id: int,
        origin: UrlOrigin,
        removes: Collection[str],
    ) -> list[UrlKey]:
        """Let pages that only links led to count as announced by a source.

        Returns those that were fetched and are no documents, for one of the reasons that the announcement
        `removes`.
        """
        rows = await db.fetch(
            self._sql.announce_linked,
            [key.host_id for key in keys],
            [key.hash for key in keys],
            source_id,
            ORIGIN_CODE[origin],
            [ORIGIN_CODE[each] for each in LINK_ORIGINS],
            list(removes),
        )
        return [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]

    async def hasten(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], source_id: int | None = None
    ) -> int:
        """Ask for these addresses now, unless they wait after a failure; how many were not due?

        Shared pages are asked for on behalf of the source that is named.
        """
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.hasten, hosts, hashes)
        await self.wake(db, rows)
        hastened: int = sum(row["urls"] for row in rows)
        return hastened + await self.requeue(db, keys, source_id=source_id)

    async def trail(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> list[UrlKey]:
        """These addresses, and those their redirects led to."""
        rows = await db.fetch(self._sql.trail, [key.host_id for key in keys], [key.hash for key in keys])
        return [_key(row) for row in rows]

    async def dead_among(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> set[UrlKey]:
        """Those of the addresses that are dead."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        return {_key(row) for row in await db.fetch(self._sql.dead_among, hosts, hashes)}

    async def dead_because(
        self, db: asyncpg.Connection, reason: str, host_id: int | None, after: UrlKey, limit: int
    ) -> list[UrlKey]:
        """A page of the addresses that died of `reason`, in the order of their keys."""
        args = (reason, host_id, after.host_id, after.hash, limit)
        return [_key(row) for row in await db.fetch(self._sql.dead_because, *args)]

    async def clear_pending(
        self, db: asyncpg.Connection, source_id: int | None = None, host_id: int | None = None
    ) -> int:
        """Empty the queue, or that part of it (FRO-19); returns how many pages it lost.

        A shared page stays queued for the other sources that wait for it.
        """
        async with db.transaction():
            rows = await db.fetch(self._sql.withdraw, source_id, host_id, self.slot)
            await db.execute(
                self._sql.leave_queue,
                [row["host_id"] for row in rows],
                [row["url_hash"] for row in rows],
                self.slot,
            )
            cleared: int = await db.fetchval(self._sql.clear_pending, source_id, host_id, self.slot)
        return len(rows) + cleared

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
        return [_key(row) for row in rows]

    async def hold_source(self, db: asyncpg.Connection, source_id: int) -> None:
        """Its queued URLs step out of the claim, not out of mind; those another source waits for stay."""
        await db.execute(self._sql.hold_source, source_id)
        await db.execute(self._sql.hide_shared, source_id)

    async def resume_source(self, db: asyncpg.Connection, source_id: int) -> None:
        await self.wake(db, await db.fetch(self._sql.resume_source, source_id))
        await self.wake(db, await db.fetch(self._sql.show_shared, source_id))
        await self.queue_awaited(db, source_id)

    async def queue_awaited(self, db: asyncpg.Connection, source_id: int) -> None:
        """Shared pages that a source waits for and that left the queue without it are queued again."""
        awaited = [_key(row) for row in await db.fetch(self._sql.not_queued_for, source_id)]
        if awaited:
            await self.requeue(db, awaited, source_id=source_id)
            await self.wake(db, await db.fetch(self._sql.show_shared, source_id))


def _wanted(key: UrlKey, source_id: int, priority: int | None) -> Submission:
    """A known page as its new source wants it: from the start, and now."""
    return Submission(key, "", "", priority or DEFAULT, source_id=source_id, origin=UrlOrigin.MANUAL)


def _key(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)
