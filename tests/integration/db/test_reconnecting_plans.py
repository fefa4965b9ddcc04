import asyncpg

from outrider.db.reconnecting import ReconnectingConnection

LOOKUP = "SELECT t.note FROM unnest($1) AS a (id) JOIN thing t ON t.id = a.id"


async def test_a_plan_made_while_a_table_was_empty_is_not_kept_when_it_has_grown(empty_database: str) -> None:
    connection = ReconnectingConnection(empty_database, application_name="tests")

    async def prepare(db: asyncpg.Connection) -> None:
        await db.execute("CREATE TABLE thing (id int PRIMARY KEY, note text)")
        await db.execute("ALTER TABLE thing SET (autovacuum_enabled = off)")
        await db.execute("ANALYZE thing")
        await db.execute(f"PREPARE lookup (int[]) AS {LOOKUP}")

    async def grow(db: asyncpg.Connection) -> None:
        await db.execute("INSERT INTO thing SELECT i, 'note' FROM generate_series(1, 10000) AS i")

    async def plan(db: asyncpg.Connection) -> str:
        return "\n".join(row[0] for row in await db.fetch("EXPLAIN (COSTS OFF) EXECUTE lookup (ARRAY[1, 2])"))

    try:
        await connection.run(prepare)
        while_empty = await connection.run(plan)
        await connection.run(grow)
        plans = [await connection.run(plan) for _ in range(16)]
    finally:
        await connection.close()

    assert "Index Cond: (id = a.id)" not in while_empty
    assert "Index Cond: (id = a.id)" in plans[-1]
