"""Migrations go up and down, once, by one process at a time, and only where they belong."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from outrider.db import migrate
from outrider.db.migrations import KNOWN, Migration
from outrider.errors import InvalidInput, Misconfigured

FIRST = Migration(1, "first", "CREATE TABLE first (a int);", "DROP TABLE first;")
SECOND = Migration(2, "second", "CREATE TABLE second (a int);", "DROP TABLE second;")
BROKEN = Migration(2, "broken", "CREATE TABLE second (a int); SELECT 1 / 0;", "DROP TABLE second;")
INDEX = Migration(
    2,
    "index",
    "-- outrider: no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS first_a ON first (a);",
    "-- outrider: no transaction\nDROP INDEX CONCURRENTLY IF EXISTS first_a;",
)


@pytest.fixture
async def connection(empty_database: str) -> AsyncIterator[asyncpg.Connection]:
    opened = await asyncpg.connect(empty_database)
    yield opened
    await opened.close()


async def tables(connection: asyncpg.Connection) -> set[str]:
    rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return {row["tablename"] for row in rows} - {"schema_migration"}


async def test_up_applies_what_is_pending_and_then_nothing(connection):
    assert await migrate.up(connection, known=(FIRST, SECOND)) == (FIRST, SECOND)
    assert await migrate.up(connection, known=(FIRST, SECOND)) == ()
    assert await tables(connection) == {"first", "second"}


async def test_up_leaves_statistics_of_every_table(connection):
    """Also of partitions: a plan without them may read a whole table."""
    await migrate.up(connection)

    rows = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
        "AND relkind IN ('r', 'p') AND reltuples < 0"
    )
    assert rows == []


async def test_up_stops_at_the_version_asked_for(connection):
    assert await migrate.up(connection, to=1, known=(FIRST, SECOND)) == (FIRST,)
    assert (await migrate.status(connection, (FIRST, SECOND))).pending == (SECOND,)


async def test_down_takes_back_the_newest_first(connection):
    await migrate.up(connection, known=(FIRST, SECOND))

    assert await migrate.down(connection, 0, known=(FIRST, SECOND)) == (SECOND, FIRST)
    assert await tables(connection) == set()


async def test_down_stops_at_the_version_asked_for(connection):
    await migrate.up(connection, known=(FIRST, SECOND))

    assert await migrate.down(connection, 1, known=(FIRST, SECOND)) == (SECOND,)
    assert await tables(connection) == {"first"}


async def test_down_below_zero_is_refused(connection):
    with pytest.raises(InvalidInput, match="no schema version -1"):
        await migrate.down(connection, -1)


async def test_a_failing_migration_leaves_no_trace(connection):
    with pytest.raises(asyncpg.DivisionByZeroError):
        await migrate.up(connection, known=(FIRST, BROKEN))

    assert await tables(connection) == {"first"}
    assert (await migrate.status(connection, (FIRST, BROKEN))).version == 1


async def test_an_index_is_built_outside_a_transaction(connection):
    await migrate.up(connection, known=(FIRST, INDEX))

    assert await connection.fetchval("SELECT indisvalid FROM pg_index WHERE indexrelid = 'first_a'::regclass")
    assert await migrate.down(connection, 1, known=(FIRST, INDEX)) == (INDEX,)


async def test_many_at_once_apply_each_migration_once(empty_database):
    async def migrated() -> tuple[Migration, ...]:
        connection = await asyncpg.connect(empty_database)
        try:
            return await migrate.up(connection, known=(FIRST, INDEX))
        finally:
            await connection.close()

    done = await asyncio.gather(*(migrated() for _ in range(8)))

    assert sorted(done, key=len) == [()] * 7 + [(FIRST, INDEX)]


async def test_a_database_of_a_newer_outrider_is_left_alone(connection):
    await migrate.up(connection, known=(FIRST, SECOND))

    for refuse in (
        migrate.ensure_current(connection, automatic=True, known=(FIRST,)),
        migrate.up(connection, known=(FIRST,)),
        migrate.down(connection, 0, known=(FIRST,)),
    ):
        with pytest.raises(Misconfigured, match=r"newer Outrider \(schema 2, this one knows 1\): upgrade"):
            await refuse
    assert await tables(connection) == {"first", "second"}


async def test_a_migration_rewritten_after_the_fact_is_refused(connection):
    await migrate.up(connection, known=(FIRST,))
    rewritten = Migration(1, "first", "CREATE TABLE first (a bigint);", "DROP TABLE first;")

    with pytest.raises(Misconfigured, match="another text of 0001_first"):
        await migrate.ensure_current(connection, automatic=True, known=(rewritten,))


async def test_a_server_says_what_to_run_and_changes_nothing(connection):
    with pytest.raises(Misconfigured, match=r"no Outrider schema yet .* run `outrider migrate`"):
        await migrate.ensure_current(connection, automatic=False, known=(FIRST,))

    assert (await migrate.status(connection, (FIRST,))).version == 0
    assert await tables(connection) == set()


async def test_the_embedded_default_migrates_itself(connection):
    found = await migrate.ensure_current(connection, automatic=True, known=(FIRST, SECOND))

    assert found.is_current
    assert await tables(connection) == {"first", "second"}


async def test_migrating_leaves_the_connection_its_time_limits(empty_database):
    connection = await asyncpg.connect(empty_database, server_settings={"statement_timeout": "200"})

    slow = Migration(1, "slow", "SELECT pg_sleep(0.4);", "SELECT 1;")
    await migrate.up(connection, known=(slow,))

    assert await connection.fetchval("SHOW statement_timeout") == "200ms"
    await connection.close()


async def test_our_own_migrations_go_up_and_down_and_up(connection):
    await migrate.up(connection)
    full = await tables(connection)

    await migrate.down(connection, 0)
    assert await tables(connection) == set()

    await migrate.up(connection)
    assert await tables(connection) == full
    assert (await migrate.status(connection)).version == len(KNOWN)
