"""Stored robots.txt files for screens, with their age."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.robots.parser import Robots
from outrider.robots.store import robots_of


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One robots.txt as last fetched."""

    origin: str
    status: int | None
    body: bytes
    fetched_at: datetime
    expires_at: datetime

    @property
    def rules(self) -> Robots:
        return robots_of(self.status, self.body)


async def files_of_host(db: asyncpg.Connection, host_id: int) -> list[StoredFile]:
    """The stored files of a host: one for each origin (scheme and port)."""
    rows = await db.fetch(Queries.load("outrider.robots").files_of_host, host_id)
    return [StoredFile(**dict(row)) for row in rows]
