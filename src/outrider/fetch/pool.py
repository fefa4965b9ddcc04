"""Idle connections: a bounded number, each kept for a bounded time."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable

from outrider.fetch.connection import Connection

_SWEEP_S = 5.0


class Pool:
    """Idle connections by key. The last used is taken first, the oldest is closed first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._idle: OrderedDict[Connection, Hashable] = OrderedDict()
        self._by_key: dict[Hashable, list[Connection]] = {}
        self._sweeper: asyncio.TimerHandle | None = None

    def take(self, key: Hashable, now: float) -> Connection | None:
        """A reusable connection, or None; closes those that cannot be reused."""
        while key in self._by_key:
            connection = self._by_key[key][-1]
            self._remove(connection)
            if connection.is_fit(now):
                return connection
            connection.abort()
        return None

    def give(self, key: Hashable, connection: Connection, idle_until: float) -> None:
        """Keep a connection for another request, at most until `idle_until`."""
        connection.idle_until = idle_until
        self._idle[connection] = key
        self._by_key.setdefault(key, []).append(connection)
        if len(self._idle) > self._most:
            self._drop(next(iter(self._idle)))
        if self._sweeper is None:
            self._sweeper = asyncio.get_running_loop().call_later(_SWEEP_S, self._sweep)

    def close(self) -> None:
        if self._sweeper is not None:
            self._sweeper.cancel()
        for connection in list(self._idle):
            self._drop(connection)

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        for connection in [idle for idle in self._idle if not idle.is_fit(loop.time())]:
            self._drop(connection)
        self._sweeper = loop.call_later(_SWEEP_S, self._sweep) if self._idle else None

    def _drop(self, connection: Connection) -> None:
        self._remove(connection)
        connection.abort()

    def _remove(self, connection: Connection) -> None:
        key = self._idle.pop(connection)
        alike = self._by_key[key]
        alike.remove(connection)
        if not alike:
            del self._by_key[key]
