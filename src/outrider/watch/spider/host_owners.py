"""A cache of the hosts of watched sources."""

import time
from typing import NamedTuple

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection

LIFE_S = 60.0
MOST_HOSTS = 200_000


class Owner(NamedTuple):
    """The fields of a watched source that links from other sources need."""

    source_id: int
    priority: int
    enabled: bool


class HostOwners:
    """Finds the source of a link that leads to another source (SPI-08)."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.watch")
        self._owners: dict[str, Owner] = {}
        self._fresh_until = 0.0

    async def refresh(self, connection: ReconnectingConnection) -> None:
        """Read the hosts again if the cache has expired."""
        if time.monotonic() < self._fresh_until:
            return

        async def read(db: asyncpg.Connection) -> dict[str, Owner]:
            rows = await db.fetch(self._sql.hosts_of_sources, MOST_HOSTS)
            return {row["host"]: Owner(row["source_id"], row["priority"], row["enabled"]) for row in rows}

        self._owners = await connection.run(read, patience_s=60)
        self._fresh_until = time.monotonic() + LIFE_S

    def owner_of(self, host: str) -> Owner | None:
        """The source that watches a host."""
        return self._owners.get(host)
