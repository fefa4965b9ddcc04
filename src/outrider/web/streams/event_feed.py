"""Follows the event log for all clients of the process."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import asyncpg

from outrider.db.pooled import PooledConnections
from outrider.errors import Unavailable
from outrider.events.listen import Wakes, follow_events
from outrider.events.log import MOST_AT_ONCE, current_position, read_events
from outrider.events.position import Position
from outrider.events.record import EventBatch
from outrider.services.operations.events import shown_event
from outrider.web.streams.client import StreamClient
from outrider.web.streams.feed import FeedPage, catch_up, follow_topic, publish
from outrider.web.streams.frame import Frame, StreamEvent, connected, encode, reset
from outrider.web.streams.topic import Topic

PATIENCE_S = 10.0
FOLLOW_PATIENCE_S = 86_400.0  # the feed waits for a database that is away


class EventFeed:
    """One for each process. `run` follows the log; `ready` is set once it knows where the log ends."""

    def __init__(self, connections: PooledConnections, listener: Wakes) -> None:
        self._connections = connections
        self._listener = listener
        self._topic: Topic[Position] | None = None
        self.ready = asyncio.Event()

    @property
    def topic(self) -> Topic[Position]:
        """Raises Unavailable until the feed has read the log once."""
        if self._topic is None:
            raise Unavailable("the event log cannot be read yet: try again in a moment")
        return self._topic

    async def run(self) -> None:
        """Publish every event, until cancelled. Called again, it continues where it was."""
        if self._topic is None:
            self._topic = Topic(await self._connections.run(current_position, patience_s=FOLLOW_PATIENCE_S))
            self.ready.set()
        topic = self._topic
        async for batch in follow_events(self._read_on, self._listener, topic.position):
            if batch.is_kept:
                await publish(topic, _frames(batch), batch.position)
            else:
                topic.restart(Frame(batch.position, StreamEvent.RESET, reset(batch.position)))

    async def read(self, after: Position) -> FeedPage[Position]:
        batch = await self._read(after, PATIENCE_S)
        return FeedPage(_frames(batch), batch.position, batch.is_kept)

    async def chunks(
        self, stream: str, client: StreamClient, after: Position | None, *, is_lost: bool
    ) -> AsyncGenerator[bytes, None]:
        """The stream of a client: from a position, or from now on; `is_lost`: its position is unreadable."""
        if after is None:
            position = self.topic.join_last(client, 0)
            yield connected(stream, position, is_resumable=not is_lost)
            if is_lost:
                yield reset(position)
        else:
            is_kept = await self._is_kept(after)
            yield connected(stream, after, is_resumable=is_kept)
            async with aclosing(catch_up(self, client, after)) as missed:
                async for chunk in missed:
                    yield chunk
        async with aclosing(follow_topic(self.topic, client)) as news:
            async for chunk in news:
                yield chunk

    async def _is_kept(self, after: Position) -> bool:
        """Whether the stream can continue at a position. The buffer answers for most."""
        topic = self.topic
        if after[0] == topic.position[0] and topic.start <= after <= topic.position:
            return True
        return (await self._read(after, PATIENCE_S, most=1)).is_kept

    async def _read_on(self, after: Position | None) -> EventBatch:
        return await self._read(after, FOLLOW_PATIENCE_S)

    async def _read(self, after: Position | None, patience_s: float, most: int = MOST_AT_ONCE) -> EventBatch:
        async def read(db: asyncpg.Connection) -> EventBatch:
            return await read_events(db, after, most=most)

        return await self._connections.run(read, patience_s=patience_s, is_one_statement=True)


def _frames(batch: EventBatch) -> list[Frame[Position]]:
    shown = [(event.position, shown_event(event)) for event in batch.events]
    return [Frame(at, each.type, encode(each.type, each.data, at)) for at, each in shown]
