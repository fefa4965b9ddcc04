"""Which hosts belong to which watched source, read once and believed for a while."""

import time

import asyncpg

from outrider.db.line import Line
from outrider.db.queries import Queries

LIFE_S = 60.0
MOST_HOSTS = 200_000


class Neighbours:
    """For links that lead from one source to another (SPI-08)."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.watch")
        self._owners: dict[str, tuple[int, int]] = {}
        self._fresh_until = 0.0

    async def refresh(self, line: Line) -> None:
        """Ask again, if it has been a while."""
        if time.monotonic() < self._fresh_until:
            return

        async def read(db: asyncpg.Connection) -> dict[str, tuple[int, int]]:
            rows = await db.fetch(self._sql.hosts_of_sources, MOST_HOSTS)
            return {row["host"]: (row["source_id"], row["priority"]) for row in rows}

        self._owners = await line.run(read, patience_s=60)
        self._fresh_until = time.monotonic() + LIFE_S

    def owner_of(self, host: str) -> tuple[int, int] | None:
        """Number and priority of the source whose pages a host holds."""
        return self._owners.get(host)
