"""Listens for notifications on one connection of the process, for all of its streams."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

import asyncpg

from outrider.logs import get_logger

log = get_logger()

RECONNECT_S = 2.0


class Wakeup:
    """An event that `wake` sets and replaces: who waits takes it before looking for news."""

    def __init__(self) -> None:
        self.wakeup = asyncio.Event()

    def wake(self) -> None:
        self.wakeup.set()
        self.wakeup = asyncio.Event()


class PoolListener:
    """Keeps one connection of the pool, which listens on several channels.

    Behind PgBouncer in transaction mode notifications do not arrive: feeds also look by themselves.
    """

    def __init__(self, pool: asyncpg.Pool, channels: Sequence[str]) -> None:
        self._pool = pool
        self._channels: Mapping[str, Wakeup] = {name: Wakeup() for name in channels}
        self._connection: Any = None

    def on(self, channel: str) -> Wakeup:
        return self._channels[channel]

    async def run(self) -> None:
        """Listen until cancelled; a connection that breaks is opened again."""
        is_away = False
        while True:
            try:
                await self._listen()
                is_away = False
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                if not is_away:
                    log.warning("streams cannot listen, looking instead", error=str(error))
                is_away = True
            await asyncio.sleep(RECONNECT_S)

    async def _listen(self) -> None:
        """Listen until the connection ends."""
        ended = asyncio.Event()
        proxy = await self._pool.acquire(timeout=RECONNECT_S * 5)
        connection = cast(asyncpg.Connection, proxy)
        try:
            connection.add_termination_listener(lambda _: ended.set())
            for channel, wakeup in self._channels.items():
                await connection.add_listener(channel, lambda *_, wakeup=wakeup: wakeup.wake())
            for wakeup in self._channels.values():
                wakeup.wake()  # notifications that came before this connection are lost
            await ended.wait()
        finally:
            connection.terminate()
            with suppress(asyncpg.InterfaceError, OSError):
                await self._pool.release(proxy)
