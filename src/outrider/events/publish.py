"""Publishes events of sources on the stream, in order and at least once (SRC-07)."""

from typing import Any

import asyncpg
from redis.asyncio import Redis

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured, Unavailable
from outrider.events.message import to_message
from outrider.events.model import STREAM
from outrider.events.store import EventStore
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.redis.outage import Outage

AT_ONCE = 100
LONGEST_STREAM = 10_000  # about this many messages stay on the stream


class Publisher:
    """Publishes events. A crash between publishing and committing publishes the events twice."""

    def __init__(self, connection: ReconnectingConnection, options: RedisOptions) -> None:
        self._connection = connection
        self._options = options
        self._store = EventStore()
        self._outage = Outage("events wait in PostgreSQL")

    async def publish(self) -> int:
        """Publish all waiting events; returns how many."""
        if not await self._connection.run(self._store.has_unpublished):
            return 0
        try:
            async with connect(self._options) as client:
                published = await self._publish_all(client)
        except (Unavailable, Misconfigured) as away:
            self._outage.begin(away)
            return 0
        self._outage.end()
        return published

    async def _publish_all(self, client: Redis) -> int:
        async def some(db: asyncpg.Connection) -> int:
            return await self._publish_some(db, client)

        with asking(self._options.address):
            await client.ping()  # fails before a transaction is open
        published = 0
        while count := await self._connection.run(some):
            published += count
        return published

    async def _publish_some(self, db: asyncpg.Connection, client: Redis) -> int:
        events = await self._store.take_unpublished(db, AT_ONCE)
        with asking(self._options.address):
            pipeline = client.pipeline(transaction=False)
            for _, event in events:
                message: dict[Any, Any] = {**to_message(event)}
                pipeline.xadd(STREAM, message, maxlen=LONGEST_STREAM, approximate=True)
            await pipeline.execute()
        await self._store.mark_published(db, [number for number, _ in events])
        return len(events)
