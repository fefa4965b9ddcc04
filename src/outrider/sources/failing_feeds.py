"""Sources with a feed or sitemap that fails many times in a row."""

from dataclasses import dataclass
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.sources.model import BY_OPERATOR

MOST_SOURCES = 10_000


@dataclass(frozen=True, slots=True)
class FailingSource:
    """An enabled source, its failing channels, and the most errors in a row of one of them."""

    public_id: UUID
    name: str
    channels: int
    errors: int


async def failing_sources(db: asyncpg.Connection, least_errors: int) -> list[FailingSource]:
    """The sources with at least so many errors in a row, the one with the most errors first."""
    sql = Queries.load("outrider.sources").failing_sources
    return [
        FailingSource(**dict(row)) for row in await db.fetch(sql, least_errors, BY_OPERATOR, MOST_SOURCES)
    ]
