"""The latest articles of sources."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.watch.channels.model import DiscoveryMethod


@dataclass(frozen=True, slots=True)
class LatestArticle:
    """A fetched article, and the method that discovered it first."""

    source: str
    url: str
    title: str | None
    way: DiscoveryMethod
    seen_at: datetime
    published_at: datetime | None
    lag_s: float | None  # after publication; None if unknown, or published before the source was watched

    @property
    def appeared_at(self) -> datetime:
        """The time of publication, or else of the first sighting."""
        return min(self.published_at or self.seen_at, self.seen_at)


async def latest(
    db: asyncpg.Connection, source_id: int | None, since: datetime, limit: int
) -> list[LatestArticle]:
    """The latest articles of one source or of all sources, newest first."""
    rows = await db.fetch(Queries.load("outrider.watch").news, source_id, since, limit)
    return [LatestArticle(**{**row, "way": DiscoveryMethod(row["way"])}) for row in rows]
