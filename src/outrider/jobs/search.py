"""Jobs of some sources, for a search box."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries


@dataclass(frozen=True, slots=True)
class FoundJob:
    """A job that a search found."""

    number: int
    public_id: UUID
    source: str
    status: str


async def jobs_of_sources(db: asyncpg.Connection, source_ids: Sequence[int], limit: int) -> list[FoundJob]:
    """The jobs of these sources."""
    if not source_ids:
        return []
    rows = await db.fetch(Queries.load("outrider.jobs").jobs_of_sources, source_ids, limit)
    return [FoundJob(**dict(row)) for row in rows]
