"""Sources by a part of their name or address, for a search box."""

from dataclasses import dataclass
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.sources")


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source that a search found."""

    source_id: int
    public_id: UUID
    name: str
    url: str


async def sources_like(db: asyncpg.Connection, text: str, limit: int) -> list[FoundSource]:
    """Watched sources with this text in their name or address; names that begin with it come first."""
    return [FoundSource(**dict(row)) for row in await db.fetch(_SQL.sources_like, text, limit)]
