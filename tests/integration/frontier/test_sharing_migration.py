"""What older versions wrote down about shared URLs, brought to the schema that serves every source."""

from collections.abc import AsyncIterator

import asyncpg
import pytest

from outrider.db import migrate

OLD = """
INSERT INTO source (name) VALUES ('one'), ('two'), ('three');
INSERT INTO url (host_id, url_hash, url, source_id, q_at, fetches, reason, depth) VALUES
  (1, '00000000-0000-0000-0000-000000000001', 'http://a.test/due', 2, now(), 0, NULL, 2),
  (1, '00000000-0000-0000-0000-000000000002', 'http://a.test/planned', 2, now() + interval '1 h', 1, NULL, 0),
  (1, '00000000-0000-0000-0000-000000000003', 'http://a.test/fetched', 2, NULL, 1, NULL, 1),
  (1, '00000000-0000-0000-0000-000000000004', 'http://a.test/dead', 2, NULL, 0, 'gone', 1),
  (1, '00000000-0000-0000-0000-000000000005', 'http://a.test/alone', 2, NULL, 1, NULL, 1);
INSERT INTO url_source (host_id, url_hash, source_id)
SELECT host_id, url_hash, s FROM url CROSS JOIN unnest(ARRAY[3, 4]) AS s WHERE url NOT LIKE '%alone';
INSERT INTO url_source VALUES (9, '00000000-0000-0000-0000-000000000009', 3);
INSERT INTO counter
VALUES (5, 2, 'pending', 2), (5, 2, 'fetched', 2), (5, 2, 'dead', 1), (5, 2, 'dead.gone', 1);
"""
COUNTS = "SELECT source_id, name, sum(value)::int AS value FROM counter GROUP BY 1, 2 HAVING sum(value) <> 0"


@pytest.fixture
async def connection(empty_database: str) -> AsyncIterator[asyncpg.Connection]:
    opened = await asyncpg.connect(empty_database)
    yield opened
    await opened.close()


async def _counts(connection: asyncpg.Connection) -> dict[tuple[int, str], int]:
    return {(row["source_id"], row["name"]): row["value"] for row in await connection.fetch(COUNTS)}


async def test_sources_that_were_written_down_get_their_states_and_counts(connection):
    await migrate.up(connection, to=4)
    await connection.execute(OLD)
    before = await _counts(connection)

    await migrate.up(connection, to=5)

    rows = await connection.fetch(
        "SELECT u.url, w.source_id, w.state FROM url_source w JOIN url u USING (host_id, url_hash)"
    )
    states = {(row["url"].rpartition("/")[2], row["source_id"]): row["state"] for row in rows}
    expected = {"due": (1, 1), "planned": (1, 2), "fetched": (2, 2), "dead": (3, 3)}
    assert states == {
        (name, source): first if source == 2 else later
        for name, (first, later) in expected.items()
        for source in (2, 3, 4)
    }
    counts = await _counts(connection)
    of_later = {"pending": 1, "fetched": 2, "dead": 1, "dead.gone": 1}
    assert {key: value for key, value in counts.items() if key[0] == 2} == before
    for source in (3, 4):
        assert {name: value for (of, name), value in counts.items() if of == source} == of_later
    for name in of_later:
        assert sum(value for (_, named), value in counts.items() if named == name) == before[2, name]

    await migrate.down(connection, to=4)
    assert await _counts(connection) == before
    assert await connection.fetchval("SELECT count(*) FROM url_source WHERE source_id = 2") == 0
