"""`schema.sql` is what the migrations make, on every PostgreSQL we support, and they can be taken back."""

import asyncpg
from tests.support.database import TestServer

from outrider.db import migrate, schema


async def test_schema_sql_is_what_the_migrations_make(each_postgres: TestServer):
    async with each_postgres.database() as dsn:
        connection = await asyncpg.connect(dsn)
        made = await schema.describe(connection)
        await connection.close()

    assert made == schema.written(), "run `make schema`"


async def test_up_down_and_up_again_leaves_the_same_schema(each_postgres: TestServer):
    async with each_postgres.database() as dsn:
        connection = await asyncpg.connect(dsn)
        before = await schema.describe(connection)

        await migrate.down(connection, 0)
        bare = await schema.describe(connection)
        await migrate.up(connection)

        assert bare.count("CREATE ") == 1, "only the table of migrations is left"
        assert await schema.describe(connection) == before
        await connection.close()
