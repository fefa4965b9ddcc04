"""Migration 0011 makes the hold of a source a fact of the frontier, and takes it back without loss."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from outrider.db import migrate

BEFORE, AFTER = 10, 11
OLD = """
INSERT INTO source (name, held, enabled, disabled_at, disable_reason) VALUES
  ('works', false, true, NULL, NULL),
  ('put aside', true, true, NULL, NULL),
  ('disabled', true, false, now(), 'sold');
"""


@pytest.fixture
async def connection(empty_database: str) -> AsyncIterator[asyncpg.Connection]:
    opened = await asyncpg.connect(empty_database)
    yield opened
    await opened.close()


async def test_held_sources_stay_held_in_both_directions(connection):
    await migrate.up(connection, to=BEFORE)
    await connection.execute(OLD)

    await migrate.up(connection, to=AFTER)
    moved = await connection.fetch(
        "SELECT name, served_with_others FROM held_source JOIN source USING (source_id)"
    )
    held = await connection.fetch("SELECT name FROM source WHERE is_held(source_id)")
    await migrate.down(connection, BEFORE)
    back = await connection.fetch("SELECT name FROM source WHERE held")

    assert {tuple(row) for row in moved} == {("put aside", True), ("disabled", False)}
    assert {row["name"] for row in held} == {row["name"] for row in back} == {"put aside", "disabled"}


async def test_only_watched_sources_are_in_the_view_of_watched_sources(connection):
    await migrate.up(connection, to=AFTER)
    await connection.execute(
        "INSERT INTO source (name, kind, url) VALUES ('news', 'watch', 'http://a.test/')"
    )
    await connection.execute("INSERT INTO source (name, kind) VALUES ('a crawl', 'crawl')")

    assert [row["name"] for row in await connection.fetch("SELECT name FROM watched_source")] == ["news"]
