"""Stores robots.txt files, and reads their rules."""

import time
from collections.abc import Collection
from dataclasses import dataclass

import asyncpg

from outrider.db.queries import Queries
from outrider.robots.parser import Robots

LARGEST = 512 * 1024


@dataclass(frozen=True, slots=True)
class CachedRules:
    """Cached rules, valid until `expires` on this process's monotonic clock."""

    robots: Robots
    expires: float
    status: int | None = None
    body: bytes = b""


class RobotsStore:
    """Stores robots.txt by host and origin (scheme and authority)."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.robots")

    async def of_hosts(self, db: asyncpg.Connection, host_ids: Collection[int]) -> dict[str, CachedRules]:
        """The stored rules of these hosts, by origin."""
        now = time.monotonic()
        rows = await db.fetch(self._sql.robots_of_hosts, list(host_ids))
        return {
            row["origin"]: CachedRules(
                robots_of(row["status"], row["body"]), now + row["expires_in_s"], row["status"], row["body"]
            )
            for row in rows
        }

    async def remember(
        self,
        db: asyncpg.Connection,
        *,
        host_id: int,
        origin: str,
        status: int | None,
        body: bytes,
        life_s: float,
    ) -> None:
        await db.execute(self._sql.remember_robots, host_id, origin, status, body[:LARGEST], life_s)

    async def expire(self, db: asyncpg.Connection, host_id: int) -> None:
        """Let the rules of a host be fetched again before its next page."""
        await db.execute(self._sql.expire_robots, host_id)


def robots_of(status: int | None, body: bytes) -> Robots:
    """The rules of a stored answer."""
    if status is None or 200 <= status < 300:
        return Robots.parse(body)
    return Robots.for_status(status)
