"""Holds sources: their queued URLs stay in the queue, hidden from the claim, until they are resumed."""

import asyncpg

from outrider.frontier.requeue import Requeues
from outrider.urls import UrlKey


class Holds(Requeues):
    """Holds and resumes sources, which the frontier knows by their numbers only."""

    async def hold_source(
        self, db: asyncpg.Connection, source_id: int, *, served_with_others: bool = True
    ) -> None:
        """Hide the queued and the new URLs of a source, except those that another source waits for.

        `served_with_others`: a visit that another source causes serves this one, too.
        """
        await db.execute(self._sql.hold_source, source_id, served_with_others)
        await db.execute(self._sql.hide_urls_of_source, source_id)
        await db.execute(self._sql.hide_shared, source_id)

    async def resume_source(self, db: asyncpg.Connection, source_id: int) -> None:
        """Show the URLs of a source to the claim again, and wake their hosts."""
        await db.execute(self._sql.resume_source, source_id)
        await self.wake(db, await db.fetch(self._sql.show_urls_of_source, source_id))
        await self.wake(db, await db.fetch(self._sql.show_shared, source_id))
        await self.queue_awaited(db, source_id)

    async def queue_awaited(self, db: asyncpg.Connection, source_id: int) -> None:
        """Queue shared pages again that a source waits for and that were visited without it."""
        rows = await db.fetch(self._sql.not_queued_for, source_id)
        awaited = [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]
        if awaited:
            await self.requeue(db, awaited, source_id=source_id)
            await self.wake(db, await db.fetch(self._sql.show_shared, source_id))
