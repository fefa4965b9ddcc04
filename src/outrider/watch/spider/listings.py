"""The table of listings: pages that are visited repeatedly for their links."""

from collections.abc import Sequence
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.store import FrontierStore
from outrider.urls import UrlKey


class ListingStore:
    """Intervals and new links of listings."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.watch")

    async def interval(self, db: asyncpg.Connection, key: UrlKey, source_id: int) -> float | None:
        """The interval at which a source visits a listing; None if the page is no listing of this source."""
        found: float | None = await db.fetchval(self._sql.listing_interval, key.host_id, key.hash, source_id)
        return found

    async def unknown(self, db: asyncpg.Connection, keys: Sequence[UrlKey], source_id: int) -> int:
        """How many of these addresses are new to a source."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        found: int = await db.fetchval(self._sql.unknown_links, hosts, hashes, source_id)
        return found

    async def note(
        self,
        db: asyncpg.Connection,
        frontier: FrontierStore,
        key: UrlKey,
        source_id: int,
        interval_s: float,
        new_links: int,
    ) -> None:
        """Record a visit to a listing. The next is due in `interval_s`, or earlier for another source."""
        visit = (key.host_id, key.hash, source_id, interval_s, new_links)
        next_s: float = await db.fetchval(self._sql.note_listing, *visit)
        await frontier.reschedule(db, {key: next_s})

    async def date_sighting(self, db: asyncpg.Connection, key: UrlKey, published_at: datetime) -> None:
        """Store the publication time of an article that a link led to."""
        await db.execute(self._sql.date_sighting, key.host_id, key.hash, published_at)
