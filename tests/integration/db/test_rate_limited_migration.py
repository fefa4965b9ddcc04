"""Migration 0009 gives the answers of 429 in a row a column of their own, and takes it back without loss."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from outrider.db import migrate

BEFORE, AFTER = 8, 9


@pytest.fixture
async def connection(empty_database: str) -> AsyncIterator[asyncpg.Connection]:
    opened = await asyncpg.connect(empty_database)
    yield opened
    await opened.close()


async def test_the_count_of_429_answers_moves_to_its_column_and_back(connection):
    await migrate.up(connection, to=BEFORE)
    await connection.execute("INSERT INTO host (host_id, calm) VALUES (1, -5), (2, 3), (3, 0)")

    await migrate.up(connection, to=AFTER)
    moved = await connection.fetch("SELECT calm, rate_limited FROM host ORDER BY host_id")
    await migrate.down(connection, BEFORE)
    back = await connection.fetch("SELECT calm FROM host ORDER BY host_id")

    assert [tuple(row) for row in moved] == [(0, 5), (3, 0), (0, 0)]
    assert [row["calm"] for row in back] == [-5, 3, 0]


async def test_no_count_can_be_below_zero(connection):
    await migrate.up(connection, to=AFTER)

    for column in ("calm", "rate_limited"):
        with pytest.raises(asyncpg.CheckViolationError):
            await connection.execute(f"INSERT INTO host (host_id, {column}) VALUES (1, -1)")
