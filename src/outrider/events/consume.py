"""Consumes events from the stream, those of other programs and of Outrider itself (SRC-08)."""

import asyncio
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import InvalidInput, Misconfigured, OutriderError, Unavailable
from outrider.events.message import read_message
from outrider.events.model import GROUP, STREAM, SourceEvent
from outrider.events.once import Handler, handle_once
from outrider.events.store import EventStore
from outrider.logs import get_logger
from outrider.redis.connect import asking, connect
from outrider.redis.options import RedisOptions
from outrider.redis.outage import Outage

log = get_logger()

AT_ONCE = 10
BLOCK_S = 5.0
REST_S = 5.0  # before the next try to connect
ABANDONED_S = 30.0  # another consumer may claim a message that is pending for longer
FORGOTTEN_S = 86_400.0  # a consumer that is idle for longer is removed

_FIRST = "0-0"


class Consumer:
    """One consumer of the group. It acknowledges messages that were handled or are not valid."""

    def __init__(
        self, connection: ReconnectingConnection, options: RedisOptions, handler: Handler, name: str
    ) -> None:
        self._connection = connection
        self._options = options
        self._handler = handler
        self._name = name
        self._store = EventStore()
        self._outage = Outage("events of other programs wait on the stream")
        self._looked_at = _FIRST  # where the next search for abandoned messages starts

    async def run(self) -> None:
        """Consume until cancelled. After an outage, create a lost stream and group again."""
        while True:
            try:
                async with connect(self._options, block_s=BLOCK_S) as client:
                    await self.create_group(client)
                    while True:
                        await self.take(client)
                        self._outage.end()
            except (Unavailable, Misconfigured) as away:
                self._outage.begin(away)
            await asyncio.sleep(REST_S)

    async def create_group(self, client: Redis) -> None:
        """Create the stream and the group if they are missing; the group starts with the oldest message."""
        with asking(self._options.address):
            try:
                await client.xgroup_create(STREAM, GROUP, id=_FIRST, mkstream=True)
            except ResponseError as error:
                if "BUSYGROUP" not in str(error):
                    raise
            for other in await client.xinfo_consumers(STREAM, GROUP):
                if not other["pending"] and other["idle"] > FORGOTTEN_S * 1000:
                    await client.xgroup_delconsumer(STREAM, GROUP, other["name"])

    async def take(self, client: Redis, *, block_s: float = BLOCK_S) -> int:
        """Handle one batch: abandoned messages, or new ones within `block_s`; returns how many."""
        with asking(self._options.address):
            messages = await self._abandoned(client) or await self._new(client, block_s)
            for message_id, fields in messages:
                if await self._is_done(message_id, fields or {}):
                    await client.xack(STREAM, GROUP, message_id)
        return len(messages)

    async def _abandoned(self, client: Redis) -> list[Any]:
        self._looked_at, messages, *_ = await client.xautoclaim(
            STREAM, GROUP, self._name, round(ABANDONED_S * 1000), self._looked_at, AT_ONCE
        )
        return list(messages)

    async def _new(self, client: Redis, block_s: float) -> list[Any]:
        streams: Any = await client.xreadgroup(
            GROUP, self._name, {STREAM: ">"}, count=AT_ONCE, block=max(1, round(block_s * 1000))
        )
        return [message for _, messages in streams for message in messages]

    async def _is_done(self, message_id: bytes, fields: dict[bytes, bytes]) -> bool:
        try:
            event = read_message(fields)
        except InvalidInput as error:
            log.warning("message on the stream is no event", message=message_id.decode(), why=str(error))
            return True
        try:
            await self._handle(event)
        except OutriderError as error:
            log.warning("event not handled", event_id=str(event.event_id), error=str(error))
            return False
        except Exception:
            log.exception("event not handled", event_id=str(event.event_id))
            return False
        return True

    async def _handle(self, event: SourceEvent) -> None:
        await self._connection.run(
            lambda db: handle_once(db, self._store, event, self._handler), patience_s=10
        )
