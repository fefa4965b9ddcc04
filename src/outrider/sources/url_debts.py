"""URLs that sources added in excess of their rate, as one sum for all workers."""

from collections.abc import Mapping

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.sources")


async def add_url_debts(db: asyncpg.Connection, urls: Mapping[int, int], per_s: float) -> dict[int, float]:
    """Add URLs to the debts of sources, by their numbers; returns what each of them owes now.

    A debt becomes smaller by `per_s` URLs each second.
    """
    rows = await db.fetch(_SQL.add_url_debts, list(urls), list(urls.values()), per_s)
    return {row["source_id"]: row["owed"] for row in rows}
