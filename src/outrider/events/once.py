"""The door to the handler: an event passes once, by whichever way it comes and however often."""

from collections.abc import Awaitable, Callable

import asyncpg

from outrider.events.model import SourceEvent
from outrider.events.store import EventStore

Handler = Callable[[asyncpg.Connection, SourceEvent], Awaitable[object]]


async def handle_once(
    db: asyncpg.Connection, store: EventStore, event: SourceEvent, handler: Handler
) -> bool:
    """Let `handler` have the event, in the caller's transaction; False when it had it before (SRC-09)."""
    if not await store.begin_processing(db, event.event_id):
        return False
    await handler(db, event)
    return True
