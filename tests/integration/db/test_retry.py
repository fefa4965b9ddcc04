"""A write is tried again when another moment may be better, and only then."""

import asyncio

import asyncpg
import pytest

from outrider.db.pool import open_pool
from outrider.db.retry import retrying


@pytest.fixture
async def pair(pool: asyncpg.Pool) -> asyncpg.Pool:
    await pool.execute(
        "CREATE TABLE pair (id int PRIMARY KEY, n int NOT NULL); INSERT INTO pair VALUES (1, 0), (2, 0)"
    )
    return pool


async def test_two_writers_that_deadlock_both_succeed(pair):
    both_hold_one = asyncio.Barrier(2)
    tries = []

    async def write(first: int, second: int) -> None:
        tries.append(first)
        async with pair.acquire() as connection, connection.transaction():
            await connection.execute("SET LOCAL deadlock_timeout = '20ms'")
            await connection.execute("UPDATE pair SET n = n + 1 WHERE id = $1", first)
            if len(tries) <= 2:
                await both_hold_one.wait()
            await connection.execute("UPDATE pair SET n = n + 1 WHERE id = $1", second)

    await asyncio.gather(retrying(lambda: write(1, 2)), retrying(lambda: write(2, 1)))

    assert len(tries) == 3
    assert await pair.fetchval("SELECT array_agg(n) FROM pair") == [2, 2]


async def test_a_write_whose_connection_was_cut_is_tried_on_another(pair, database):
    victims = await open_pool(database, size=1, application_name="victim")
    tries = []

    async def write() -> None:
        tries.append(1)
        async with victims.acquire() as connection, connection.transaction():
            if len(tries) == 1:
                await pair.execute("SELECT pg_terminate_backend($1, 5000)", connection.get_server_pid())
            await connection.execute("UPDATE pair SET n = n + 1")

    await retrying(write)

    assert len(tries) == 2
    assert await pair.fetchval("SELECT array_agg(n) FROM pair") == [1, 1]
    victims.terminate()


async def test_a_write_that_breaks_a_rule_is_not_tried_again(pair):
    tries = []

    async def write() -> None:
        tries.append(1)
        await pair.execute("INSERT INTO pair VALUES (1, 0)")

    with pytest.raises(asyncpg.UniqueViolationError):
        await retrying(write)

    assert len(tries) == 1
