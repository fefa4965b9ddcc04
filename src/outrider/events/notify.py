"""Wakes readers of the event log, at most a few times a second, in its own transaction.

`NOTIFY` takes a lock of the whole server at commit, so transactions that write events do not use it.
"""

import asyncio

import asyncpg

from outrider.db.pooled import RunsWork
from outrider.db.queries import Queries
from outrider.errors import Unavailable
from outrider.events.position import Position

CHANNEL = "outrider_events"
REST_S = 0.25
LONGEST_REST_S = 2.0  # readers poll as often as this

_SQL = Queries.load("outrider.events")


class EventNotifier:
    """One for each process that writes events. Writers call `written` after their commit."""

    def __init__(self, connection: RunsWork, *, rest_s: float = REST_S) -> None:
        self._connection = connection
        self._rest_s = rest_s
        self._newest_xid = 0
        self._is_unknown = False  # events were written, and the writer does not know where
        self._has_news = asyncio.Event()

    def written(self, position: Position | None = None) -> None:
        """Report that events up to this position, or up to now, are committed. The notification follows."""
        if position is None:
            self._is_unknown = True
        else:
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
            is_unknown, self._is_unknown = self._is_unknown, False
            try:
                horizon, next_xid = await self._connection.run(self.notify, is_one_statement=True)
                if is_unknown:  # every transaction that has committed by now has a smaller number
                    self._newest_xid = max(self._newest_xid, next_xid - 1)
            except Unavailable:
                horizon, self._is_unknown = 0, self._is_unknown or is_unknown
            await asyncio.sleep(rest_s)
            if horizon > self._newest_xid and not self._is_unknown:
                return
            rest_s = min(rest_s * 2, LONGEST_REST_S)

    async def notify(self, db: asyncpg.Connection) -> tuple[int, int]:
        """Send one notification; returns the transaction before which readers stop, and the next one."""
        (row,) = await db.fetch(_SQL.notify_readers, CHANNEL)
        return row["horizon"], row["next_xid"]
