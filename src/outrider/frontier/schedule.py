"""Changes when queued URLs are visited, and whether the claim sees them."""

from collections.abc import Collection, Mapping, Sequence

import asyncpg

from outrider.frontier.model import EntryKind
from outrider.frontier.store_base import StoreBase
from outrider.urls import UrlKey


class Schedules(StoreBase):
    """Each method changes the given URLs only. A method that makes URLs due returns their hosts."""

    async def bring_forward(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], within_s: float = 0.0
    ) -> set[int]:
        """Let queued URLs wait no longer than this; returns the hosts of those that waited longer."""
        rows = await db.fetch(self._sql.bring_forward, *_columns(keys), within_s)
        return {row["host_id"] for row in rows}

    async def reschedule(self, db: asyncpg.Connection, waits_s: Mapping[UrlKey, float]) -> None:
        """Visit queued URLs again after these seconds."""
        await db.execute(self._sql.reschedule, *_columns(waits_s), list(waits_s.values()))

    async def hide(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> None:
        """Hide queued URLs from the claim without deleting them."""
        await db.execute(self._sql.hide, *_columns(keys))

    async def show(self, db: asyncpg.Connection, keys: Collection[UrlKey], source_id: int) -> set[int]:
        """Show queued URLs to the claim and make them due, unless this source is held; returns the hosts."""
        rows = await db.fetch(self._sql.show, *_columns(keys), source_id)
        return {row["host_id"] for row in rows}

    async def set_kinds(
        self, db: asyncpg.Connection, keys: Sequence[UrlKey], kinds: Sequence[EntryKind]
    ) -> None:
        """Set what known URLs are, as when a page turns out to be a feed."""
        await db.execute(self._sql.set_kinds, *_columns(keys), [int(kind) for kind in kinds])

    async def wake_known_hosts(self, db: asyncpg.Connection, host_ids: Collection[int]) -> None:
        """Make hosts due whose URLs became due."""
        if host_ids:
            await db.execute(self._sql.wake_known_hosts, sorted(host_ids))


def _columns(keys: Collection[UrlKey]) -> tuple[list[int], list[str]]:
    return [key.host_id for key in keys], [key.hash for key in keys]
