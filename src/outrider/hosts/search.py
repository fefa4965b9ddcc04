"""Hosts by the beginning of their name, for a search box."""

from dataclasses import dataclass

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.hosts")
PREFIXES = ("", "www.")  # people leave it out


@dataclass(frozen=True, slots=True)
class HostName:
    """A host that a search found."""

    host: str
    pages: int


async def hosts_beginning(db: asyncpg.Connection, start: str, limit: int) -> list[HostName]:
    """Hosts whose name begins with this text, with or without `www.`; a bounded read of an index."""
    rows = await db.fetch(_SQL.hosts_beginning, [prefix + start for prefix in PREFIXES], limit)
    return [HostName(row["host"], row["pages"]) for row in rows]
