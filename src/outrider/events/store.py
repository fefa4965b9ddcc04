"""The tables of the outbox and of processed events."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.events.model import EventType, SourceEvent

KEPT_S = 30 * 86_400.0  # how long an event is kept after it was handled


class EventStore:
    """The caller opens the transaction. The events of a source are numbered in the order of their writes."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.events")

    async def next_unhandled(self, db: asyncpg.Connection, after: int) -> tuple[int, SourceEvent] | None:
        row = await db.fetchrow(self._sql.next_unhandled, after)
        return None if row is None else _numbered(row)

    async def mark_handled(self, db: asyncpg.Connection, number: int) -> None:
        await db.execute(self._sql.mark_handled, number)

    async def begin_processing(self, db: asyncpg.Connection, event_id: UUID) -> bool:
        """Record an event as processed; False when it was processed before."""
        return await db.fetchval(self._sql.begin_processing, event_id) is not None

    async def has_unpublished(self, db: asyncpg.Connection) -> bool:
        return bool(await db.fetchval(self._sql.has_unpublished))

    async def take_unpublished(self, db: asyncpg.Connection, most: int) -> list[tuple[int, SourceEvent]]:
        """The oldest unpublished events; empty while another transaction publishes."""
        if not await db.fetchval(self._sql.claim_publishing):
            return []
        return [_numbered(row) for row in await db.fetch(self._sql.unpublished, most)]

    async def mark_published(self, db: asyncpg.Connection, numbers: Sequence[int]) -> None:
        await db.execute(self._sql.mark_published, numbers)

    async def forget_old(self, db: asyncpg.Connection) -> None:
        await db.execute(self._sql.forget_events, KEPT_S)
        await db.execute(self._sql.forget_processed, KEPT_S)


def _numbered(row: Any) -> tuple[int, SourceEvent]:
    event = SourceEvent(
        row["event_id"], EventType(row["event_type"]), row["public_id"], row["at"], row["payload"]
    )
    return row["number"], event
