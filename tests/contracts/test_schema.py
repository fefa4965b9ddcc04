"""`schema.sql` is what the migrations make, on every PostgreSQL we support, and they can be taken back."""

from collections.abc import Awaitable, Callable
from functools import partial

import asyncpg
import pytest
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


@pytest.mark.parametrize("version", [migration.version for migration in migrate.KNOWN[:-1]])
async def test_going_back_leaves_what_was_there_before(each_postgres: TestServer, version: int):
    async def made_by(
        *steps: Callable[[asyncpg.Connection], Awaitable[object]],
    ) -> tuple[list[str], list[str]]:
        async with each_postgres.database(template="template0") as dsn:
            connection = await asyncpg.connect(dsn)
            for step in steps:
                await step(connection)
            views = await connection.fetch(
                "SELECT pg_get_viewdef(oid) AS body FROM pg_class WHERE relkind = 'v' "
                "AND relnamespace = 'public'::regnamespace ORDER BY relname"
            )
            described = await schema.describe(connection)
            await connection.close()
            # A column that comes back is the last one of its table: the order of the lines may differ.
            return sorted(described.splitlines()), [view["body"] for view in views]

    assert await made_by(migrate.up, partial(migrate.down, to=version)) == await made_by(
        partial(migrate.up, to=version)
    )
