"""Wakes readers of the event log, at most a few times a second, in its own transaction.

`NOTIFY` takes a lock of the whole server at commit, so transactions that write events do not use it.
"""

import asyncio

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.events.position import Position

CHANNEL = "outrider_events"
REST_S = 0.25
LONGEST_REST_S = 2.0  # readers poll as often as this

_SQL = Queries.load("outrider.events")


class EventNotifier:
    """One for each process that writes events. Writers call `written` after their commit."""

    def __init__(self, connection: ReconnectingConnection, *, rest_s: float = REST_S) -> None:
        self._connection = connection
        self._rest_s = rest_s
        self._newest_xid = 0
        self._has_news = asyncio.Event()

    def written(self, position: Position) -> None:
        """Report that events up to this position are committed. The notification is sent later."""
        self._newest_xid = max(self._newest_xid, position.xid)
        self._has_news.set()

    async def run(self) -> None:
        """Notify until cancelled."""
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            await self._notify_until_readable()

    async def _notify_until_readable(self) -> None:
        """Repeat the notification until no running transaction hides the newest event from readers."""
        rest_s = self._rest_s
        while True:
            try:
                horizon = await self._connection.run(self.notify, is_one_statement=True)
            except Unavailable:
                horizon = 0
            await asyncio.sleep(rest_s)
            if horizon > self._newest_xid:
                return
            rest_s = min(rest_s * 2, LONGEST_REST_S)

    async def notify(self, db: asyncpg.Connection) -> int:
        """Send one notification; returns the number of the transaction before which readers stop."""
        horizon: int = await db.fetchval(_SQL.notify_readers, CHANNEL)
        return horizon
