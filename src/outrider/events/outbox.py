"""Handles the events in the outbox, with PostgreSQL alone."""

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.db.retry import is_transient
from outrider.events.once import Handler, handle_once
from outrider.events.store import EventStore
from outrider.logs import get_logger

log = get_logger()

MOST_AT_ONCE = 1_000


async def handle_waiting(connection: ReconnectingConnection, handler: Handler) -> int:
    """Handle the waiting events, each in its own transaction; returns how many were tried.

    An event whose handler fails stays in the outbox, and the pass continues with the next event.
    """
    store, number = EventStore(), 0

    async def one(db: asyncpg.Connection) -> int | None:
        return await _handle_next(db, store, handler, after=number)

    for count in range(MOST_AT_ONCE):
        handled = await connection.run(one, patience_s=10)
        if handled is None:
            return count
        number = handled
    return MOST_AT_ONCE


async def _handle_next(
    db: asyncpg.Connection, store: EventStore, handler: Handler, *, after: int
) -> int | None:
    taken = await store.next_unhandled(db, after)
    if taken is None:
        return None
    number, event = taken
    try:
        async with db.transaction():
            await handle_once(db, store, event, handler)
            await store.mark_handled(db, number)
    except Exception as error:
        if is_transient(error):
            raise
        log.exception("event not handled", event_id=str(event.event_id), event_type=event.event_type.value)
    return number
