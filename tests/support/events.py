"""Events of sources for tests: a handler whose effect can be counted, and what stands on the stream."""

from typing import Any
from uuid import UUID, uuid4

import asyncpg
from redis.asyncio import Redis

from outrider.clock import SystemClock
from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.message import read_message, to_message
from outrider.events.model import GROUP, STREAM, EventType, SourceEvent


def event(event_type: EventType = EventType.CREATED, **changes: Any) -> SourceEvent:
    """As another program might publish it."""
    facts: dict[str, Any] = {
        "event_id": uuid4(),
        "event_type": event_type,
        "source_id": uuid4(),
        "at": SystemClock().now(),
        "payload": {},
    }
    return SourceEvent(**facts | changes)


class Tally:
    """A handler that leaves a row for each event it was given, and fails while told to."""

    def __init__(self, connection: ReconnectingConnection) -> None:
        self._connection = connection
        self.fails = False

    async def prepare(self) -> None:
        await self._connection.run(lambda db: db.execute("CREATE TABLE IF NOT EXISTS effect (event_id uuid)"))

    async def handle(self, db: asyncpg.Connection, event: SourceEvent) -> None:
        await db.execute("INSERT INTO effect VALUES ($1)", event.event_id)
        if self.fails:
            raise RuntimeError("the handler is told to fail")

    async def effects(self) -> list[UUID]:
        rows = await self._connection.run(lambda db: db.fetch("SELECT event_id FROM effect"))
        return [row["event_id"] for row in rows]


async def put(client: Redis, event: SourceEvent) -> None:
    """Another program publishes."""
    fields: dict[Any, Any] = {**to_message(event)}
    await client.xadd(STREAM, fields)


async def on_stream(client: Redis) -> list[SourceEvent]:
    return [read_message(fields) for _, fields in await client.xrange(STREAM)]


async def unacknowledged(client: Redis) -> int:
    found: int = (await client.xpending(STREAM, GROUP))["pending"]
    return found


async def let_time_pass(client: Redis, seconds: float) -> None:
    """Make every message that somebody has in hand so old."""
    for each in await client.xpending_range(STREAM, GROUP, "-", "+", 100):
        await client.xclaim(
            STREAM,
            GROUP,
            each["consumer"],
            min_idle_time=0,
            message_ids=[each["message_id"]],
            idle=round(seconds * 1000),
            justid=True,
        )
