"""What an operator changes at a host: its block, its circuit and penalty, its delay."""

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.events.catalogue import EventKind
from outrider.events.log import write_events
from outrider.events.record import NewEvent
from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of


class HostControl:
    """Changes hosts for an operator. The caller opens the transaction."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.frontier")
        self._robots = RobotsStore()

    async def lock(self, db: asyncpg.Connection, host: str) -> None:
        """Lock a host until the commit, against other operators."""
        await db.execute(self._sql.lock_host, host_id_of(host))

    async def block(self, db: asyncpg.Connection, host: str, reason: str, delay_ms: int) -> None:
        """Stop all requests to a host; `delay_ms` is the delay of a host that is new."""
        await db.execute(self._sql.block_host, host_id_of(host), host, reason, delay_ms)
        await write_events(db, [NewEvent(EventKind.HOST_BLOCKED, host, {"host": host, "reason": reason})])

    async def unblock(self, db: asyncpg.Connection, host: str) -> None:
        """Lift the block of a host; raises NotFound when it is not blocked."""
        if await db.fetchval(self._sql.free_host, host_id_of(host), False) is None:
            raise NotFound(f"{host} is not blocked")
        await write_events(db, [NewEvent(EventKind.HOST_UNBLOCKED, host, {"host": host})])

    async def reset(self, db: asyncpg.Connection, host: str) -> None:
        """Reset a host (BRK-14): no block, no penalty, a closed circuit, robots.txt fetched again."""
        if await db.fetchval(self._sql.free_host, host_id_of(host), True) is None:
            raise NotFound(f"nothing was ever queued for {host}")
        await self._robots.expire(db, host_id_of(host))
        await write_events(db, [NewEvent(EventKind.HOST_RESET, host, {"host": host})])

    async def set_delay(self, db: asyncpg.Connection, host: str, asked_ms: int | None, delay_ms: int) -> None:
        """Store the delay an operator asks for, and the delay in force that follows from it."""
        if await db.fetchval(self._sql.set_delay, host_id_of(host), asked_ms, delay_ms) is None:
            raise NotFound(f"nothing was ever queued for {host}")
