"""Which hosts belong to which watched source, read once and believed for a while."""

import time
from typing import NamedTuple

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection

LIFE_S = 60.0
MOST_HOSTS = 200_000


class Owner(NamedTuple):
    """A watched source, as links from other sources need to know it."""

    source_id: int
    priority: int
    enabled: bool


class HostOwners:
    """For links that lead from one source to another (SPI-08)."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.watch")
        self._owners: dict[str, Owner] = {}
        self._fresh_until = 0.0

    async def refresh(self, connection: ReconnectingConnection) -> None:
        """Ask again, if it has been a while."""
        if time.monotonic() < self._fresh_until:
            return

        async def read(db: asyncpg.Connection) -> dict[str, Owner]:
            rows = await db.fetch(self._sql.hosts_of_sources, MOST_HOSTS)
            return {row["host"]: Owner(row["source_id"], row["priority"], row["enabled"]) for row in rows}

        self._owners = await connection.run(read, patience_s=60)
        self._fresh_until = time.monotonic() + LIFE_S

    def owner_of(self, host: str) -> Owner | None:
        """The source whose pages a host holds."""
        return self._owners.get(host)
