"""The event log for tests: write to it, follow it, and wait until readers see all of it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import asyncpg

from outrider.events.log import prune_events, read_events, write_events
from outrider.events.position import Position
from outrider.events.record import LoggedEvent, NewEvent

Connect = Callable[[], Awaitable[asyncpg.Connection]]


async def write(db: asyncpg.Connection, *names: str, kind: str = "job.started") -> Position | None:
    return await write_events(db, [NewEvent(kind, name) for name in names])


async def settle(db: asyncpg.Connection) -> None:
    """Wait until every transaction of the server, also of other tests, is younger than this moment."""
    now = await db.fetchval("SELECT pg_current_xact_id()")
    while True:
        if await db.fetchval("SELECT pg_snapshot_xmin(pg_current_snapshot())") > now:
            return
        await asyncio.sleep(0.005)


async def age(db: asyncpg.Connection, subject: str, seconds: float) -> None:
    await db.execute(
        "UPDATE event_log SET at = at - $2::float8 * interval '1 second' WHERE subject_id = $1",
        subject,
        float(seconds),
    )


async def prune(db: asyncpg.Connection, **limits: Any) -> int:
    await settle(db)
    async with db.transaction():
        return await prune_events(db, **limits)


def subjects(events: Iterable[LoggedEvent]) -> list[str]:
    return [event.subject_id for event in events]


class Reader:
    """Follows the log and keeps its position as text, as a client does."""

    def __init__(self, position: str | None = None, most: int = 100) -> None:
        self.position = position
        self.seen: list[LoggedEvent] = []
        self._most = most

    async def read(self, db: asyncpg.Connection) -> None:
        while True:
            after = None if self.position is None else Position.parse(self.position)
            batch = await read_events(db, after, most=self._most)
            assert batch.is_kept
            self.seen += batch.events
            self.position = str(batch.position)
            if not batch.is_full:
                return
