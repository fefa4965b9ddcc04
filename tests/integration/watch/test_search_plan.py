"""Whose turn it is to be searched is read from an index, however many sources there are."""

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection

MANY = """
INSERT INTO source (name, url, kind, mode)
SELECT 'source ' || i, 'https://' || i || '.test/', 'watch', 'feed' FROM generate_series(1, 2000) AS i
"""


async def test_the_next_source_to_search_is_found_without_reading_the_others(database: str):
    connection = ReconnectingConnection(database, application_name="tests")

    async def plan(db: asyncpg.Connection) -> str:
        await db.execute(MANY)
        await db.execute("ANALYZE source")
        await db.execute(f"PREPARE search (float8) AS {Queries.load('outrider.sources').claim_search}")
        return "\n".join(row[0] for row in await db.fetch("EXPLAIN (COSTS OFF) EXECUTE search (3600)"))

    try:
        found = await connection.run(plan)
    finally:
        await connection.close()

    assert "source_to_search" in found
    assert "Sort" not in found
