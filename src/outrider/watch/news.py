"""The latest articles that sources brought."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.watch.channels.model import DiscoveryMethod


@dataclass(frozen=True, slots=True)
class LatestArticle:
    """One that was fetched, and the way that showed it first."""

    source: str
    url: str
    title: str | None
    way: DiscoveryMethod
    seen_at: datetime
    published_at: datetime | None
    lag_s: float | None  # after publication; None where that is not known, or was before anybody watched

    @property
    def appeared_at(self) -> datetime:
        """When it was published, as far as anybody knows."""
        return min(self.published_at or self.seen_at, self.seen_at)


async def latest(
    db: asyncpg.Connection, source_id: int | None, since: datetime, limit: int
) -> list[LatestArticle]:
    """Of one source or of all, the newest first."""
    rows = await db.fetch(Queries.load("outrider.watch").news, source_id, since, limit)
    return [LatestArticle(**{**row, "way": DiscoveryMethod(row["way"])}) for row in rows]
