"""URLs by their beginning, for a search box."""

import asyncpg

from outrider.db.queries import Queries
from outrider.urls import key_of

MOST_EXAMINED = 2_000  # URLs of the host


async def urls_like(db: asyncpg.Connection, url: str, limit: int) -> list[str]:
    """This URL if it is known, then URLs of its host that begin with it, among a bounded number of them."""
    key = key_of(url)
    rows = await db.fetch(
        Queries.load("outrider.frontier").urls_like, key.host_id, key.hash, url, MOST_EXAMINED, limit
    )
    return [row["url"] for row in rows]
