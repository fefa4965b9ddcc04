"""Waits for notifications of a channel: one listening connection for all readers of a process."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Protocol

import asyncpg

from outrider.events.notify import CHANNEL
from outrider.events.position import Position
from outrider.events.record import EventBatch
from outrider.logs import get_logger

log = get_logger()

CONNECT_TIMEOUT_S = 10.0
RECONNECT_S = 2.0
POLL_S = 2.0  # notifications can get lost, so readers poll as well

ReadEvents = Callable[[Position | None], Awaitable[EventBatch]]


class Wakes(Protocol):
    """Has an event that is set, and replaced by a new one, when there may be news."""

    @property
    def wakeup(self) -> asyncio.Event: ...


class EventListener:
    """Sets `wakeup` with every notification. Without `run`, readers only poll every `POLL_S` seconds.

    Behind PgBouncer in transaction mode notifications do not arrive: give the address of the server itself.
    """

    def __init__(self, dsn: str, *, application_name: str, channel: str = CHANNEL) -> None:
        self._dsn = dsn
        self._channel = channel
        self._application_name = application_name
        self.wakeup = asyncio.Event()

    async def run(self) -> None:
        """Listen until cancelled; a connection that breaks is opened again."""
        is_away = False
        while True:
            try:
                await self._listen()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                if not is_away:
                    log.warning(
                        "cannot listen for events, looking for them instead",
                        channel=self._channel,
                        error=str(error),
                    )
                is_away = True
            else:
                is_away = False
            await asyncio.sleep(RECONNECT_S)

    async def _listen(self) -> None:
        """Listen until the connection ends."""
        ended = asyncio.Event()
        connection = await asyncpg.connect(
            self._dsn,
            timeout=CONNECT_TIMEOUT_S,
            server_settings={"application_name": self._application_name},
            statement_cache_size=0,
        )
        try:
            connection.add_termination_listener(lambda _: ended.set())
            await connection.add_listener(self._channel, lambda *_: self._wake())
            self._wake()  # notifications that came before this connection are lost
            await ended.wait()
        finally:
            connection.terminate()

    def _wake(self) -> None:
        self.wakeup.set()
        self.wakeup = asyncio.Event()


async def follow_events(
    read: ReadEvents, listener: Wakes, after: Position | None, *, poll_s: float = POLL_S
) -> AsyncIterator[EventBatch]:
    """Every event after a position, batch by batch, without end.

    A batch whose `is_kept` is False says that events were lost: the caller tells its client to start anew,
    and the next batches continue from the position of that batch.
    """
    position = after
    while True:
        wakeup = listener.wakeup  # taken before the read: a notification during the read counts
        batch = await read(position)
        position = batch.position
        if batch.events or not batch.is_kept:
            yield batch
        if not batch.is_full:
            with suppress(TimeoutError):
                async with asyncio.timeout(poll_s):
                    await wakeup.wait()
