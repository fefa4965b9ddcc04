"""Queue the entries that a robots.txt blocked before and allows now (ROB-12)."""

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.store import FrontierStore
from outrider.robots import AGENT, Robots
from outrider.urls import UrlKey, origin_of

WAKE_PAGE = 500


async def wake_allowed(
    connection: ReconnectingConnection, frontier: FrontierStore, host_id: int, origin: str, robots: Robots
) -> None:
    """Return the blocked entries of an origin that the rules allow to the queue."""
    after = "0" * 32
    while True:

        async def read(db: asyncpg.Connection, after: str = after) -> list[tuple[UrlKey, str]]:
            return await frontier.blocked_by_robots(db, host_id, after, WAKE_PAGE)

        blocked = await connection.run(read, patience_s=60)
        allowed = [key for key, url in blocked if origin_of(url) == origin and robots.allows(AGENT, url)]
        if allowed:

            async def wake(db: asyncpg.Connection, allowed: list[UrlKey] = allowed) -> int:
                return await frontier.make_due(db, allowed)

            await connection.run(wake, patience_s=60)
        if len(blocked) < WAKE_PAGE:
            return
        after = blocked[-1][0].hash
