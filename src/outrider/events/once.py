"""Calls the handler once for each event, even if the event arrives several times."""

from collections.abc import Awaitable, Callable

import asyncpg

from outrider.events.model import SourceEvent
from outrider.events.store import EventStore

Handler = Callable[[asyncpg.Connection, SourceEvent], Awaitable[object]]


async def handle_once(
    db: asyncpg.Connection, store: EventStore, event: SourceEvent, handler: Handler
) -> bool:
    """Call `handler` in the caller's transaction; False when the event was handled before (SRC-09)."""
    if not await store.begin_processing(db, event.event_id):
        return False
    await handler(db, event)
    return True
