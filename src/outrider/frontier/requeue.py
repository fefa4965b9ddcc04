"""Changes the queue of known URLs: fetch again, fetch sooner, fetch for another source."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import asyncpg

from outrider.frontier.model import LINK_ORIGINS, NO_RUN, ORIGIN_CODE, Submission, UrlOrigin
from outrider.frontier.priority import DEFAULT
from outrider.frontier.sharing import Sharing
from outrider.urls import UrlKey


class Requeues(Sharing):
    """Changes the queue, and wakes the hosts that have something to do afterwards."""

    async def requeue(
        self,
        db: asyncpg.Connection,
        keys: Collection[UrlKey],
        priority: int | None = None,
        source_id: int | None = None,
        run_id: int = NO_RUN,
    ) -> int:
        """Put URLs that are not queued back in the queue with no attempts; returns how many.

        A shared page is visited for `source_id`, or without one for every source that wants it. The URLs
        become entries of the run.
        """
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.requeue, hosts, hashes, priority, self.slot, run_id or None)
        if any(row["shared"] for row in rows):
            await self.mark_pending(db, keys, source_id)
        await self.wake(db, rows)
        return sum(row["urls"] for row in rows)

    async def visit_again(
        self,
        db: asyncpg.Connection,
        keys: Collection[UrlKey],
        source_id: int,
        priority: int | None = None,
        run_id: int = NO_RUN,
    ) -> int:
        """Visit known pages again for one source, even if another source asked for them first.

        Returns how many were not queued. Pages that are queued for later keep their time.
        """
        wanted = [_wanted(key, source_id, priority) for key in keys]
        if wanted:
            await self.share(db, wanted)
            await self.mark_pending(db, keys, source_id)
        return await self.requeue(db, keys, priority, source_id, run_id)

    async def announce(
        self,
        db: asyncpg.Connection,
        keys: Sequence[UrlKey],
        source_id: int,
        origin: UrlOrigin,
        removes: Collection[str],
    ) -> set[UrlKey]:
        """Mark pages that only links led to as announced by a source.

        Returns the pages that a visit can now make documents: pages whose redirects led out of scope, and
        pages that were fetched and are no documents for one of the reasons in `removes`.
        """
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        # This query comes first: it selects linked pages by their depth, which the next statement changes.
        refused = await db.fetch(self._sql.announce_refused, hosts, hashes)
        linked = await db.fetch(
            self._sql.announce_linked,
            hosts,
            hashes,
            source_id,
            ORIGIN_CODE[origin],
            [ORIGIN_CODE[each] for each in LINK_ORIGINS],
            list(removes),
        )
        return {_key(row) for row in (*linked, *refused)}

    async def make_due(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], source_id: int | None = None
    ) -> int:
        """Make these URLs due now, unless they wait after a failure; returns how many were not due.

        Shared pages are visited for `source_id`.
        """
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.make_due, hosts, hashes)
        await self.wake(db, rows)
        changed: int = sum(row["urls"] for row in rows)
        return changed + await self.requeue(db, keys, source_id=source_id)

    async def redirect_chain(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> list[UrlKey]:
        """These URLs and the targets of their redirects."""
        rows = await db.fetch(
            self._sql.redirect_chain, [key.host_id for key in keys], [key.hash for key in keys]
        )
        return [_key(row) for row in rows]

    async def dead_among(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> set[UrlKey]:
        """The dead ones of these URLs."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        return {_key(row) for row in await db.fetch(self._sql.dead_among, hosts, hashes)}

    async def dead_because(
        self,
        db: asyncpg.Connection,
        reason: str | None,
        host_id: int | None,
        after: UrlKey,
        limit: int,
        source_id: int | None = None,
    ) -> list[UrlKey]:
        """A batch of the URLs that are dead for `reason`, or for any, in the order of their keys."""
        args = (reason, host_id, after.host_id, after.hash, limit, source_id)
        return [_key(row) for row in await db.fetch(self._sql.dead_because, *args)]

    async def count_dead_because(
        self, db: asyncpg.Connection, reason: str | None, host_id: int | None, source_id: int | None = None
    ) -> int:
        """How many URLs are dead for `reason`, or for any."""
        count: int = await db.fetchval(self._sql.count_dead_because, reason, host_id, source_id)
        return count

    async def count_pending(
        self, db: asyncpg.Connection, source_id: int | None = None, host_id: int | None = None
    ) -> int:
        """How many pages `clear_pending` would take out of the queue."""
        count: int = await db.fetchval(self._sql.count_clearable, source_id, host_id)
        return count

    async def clear_pending(
        self, db: asyncpg.Connection, source_id: int | None = None, host_id: int | None = None
    ) -> int:
        """Empty the queue, for one source or host if given (FRO-19); returns how many pages left it.

        A shared page stays queued for the other sources that wait for it.
        """
        async with db.transaction():
            rows = await db.fetch(self._sql.stop_waiting, source_id, host_id, self.slot)
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
        """A batch of URLs that robots.txt blocks: dead pages, and channels that wait for their next poll."""
        rows = await db.fetch(self._sql.blocked_urls, host_id, after, limit)
        return [(UrlKey(host_id, row["url_hash"].hex), row["url"]) for row in rows]

    async def known_before(
        self, db: asyncpg.Connection, source_id: int, before: datetime, after: UrlKey, limit: int
    ) -> list[UrlKey]:
        rows = await db.fetch(self._sql.known_before, source_id, before, after.host_id, after.hash, limit)
        return [_key(row) for row in rows]


def _wanted(key: UrlKey, source_id: int, priority: int | None) -> Submission:
    """A submission of a known page for another source."""
    return Submission(key, "", "", priority or DEFAULT, source_id=source_id, origin=UrlOrigin.MANUAL)


def _key(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)
