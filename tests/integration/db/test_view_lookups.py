"""A look-up in a view takes an index, and the database computes the same keys as the crawler."""

import json

import asyncpg
import pytest

from outrider.urls import key_of

NO_ID = "'00000000-0000-0000-0000-000000000000'"

LOOKUPS = {
    "a source by name": "SELECT * FROM sources WHERE name = 's7'",
    "a source by id": f"SELECT * FROM sources WHERE id = {NO_ID}",
    "a host by name": "SELECT * FROM host_state WHERE host = 'h7'",
    "feeds by source": f"SELECT * FROM feed_state WHERE source_id = {NO_ID}",
    "pages by domain": "SELECT * FROM crawled_pages WHERE domain = 'h7'",
    "a page by address": "SELECT * FROM crawled_page('http://h7/7')",
    "a page by domain and id": "SELECT * FROM crawled_pages WHERE domain = 'h7' AND id = url_key('http://h7/7')",
    "URLs by host": "SELECT * FROM url_frontier WHERE host = 'h7'",
    "a job by id": f"SELECT * FROM jobs WHERE id = {NO_ID}",
    "links by domain": "SELECT * FROM discovered_links WHERE domain = 'h7'",
    "links by source": f"SELECT * FROM discovered_links WHERE source_id = {NO_ID}",
}

# 300 hosts with 60 pages each, kept and logged; 3,000 sources with a feed, some with links that lead out.
FILL = """
  INSERT INTO source (name, kind, url)
  SELECT 's' || n, 'watch', 'http://h' || n || '/' FROM generate_series(1, 3000) n;
  INSERT INTO host_info (host_id, host)
  SELECT host_key('http://h' || n || '/'), 'h' || n FROM generate_series(1, 300) n;
  INSERT INTO host (host_id) SELECT host_id FROM host_info;
  INSERT INTO robots (host_id, origin, expires_at) SELECT host_id, 'http://' || host, now() FROM host_info;
  INSERT INTO url (host_id, url_hash, url)
  SELECT i.host_id, url_key('http://' || i.host || '/' || n), 'http://' || i.host || '/' || n
    FROM host_info i, generate_series(1, 60) n;
  INSERT INTO document (host_id, url_hash, source_id, bytes, words, http_status, content_hash)
  SELECT host_id, url_hash, 1, 1, 1, 200, '' FROM url;
  INSERT INTO fetch_log (host_id, url_hash, elapsed_ms, wire_bytes, outcome)
  SELECT host_id, url_hash, 1, 1, 'fetched' FROM url;
  INSERT INTO channel (source_id, host_id, url_hash, url, kind)
  SELECT source_id, host_key(url), url_key(url), url, 2 FROM source WHERE kind = 'watch';
  INSERT INTO discovered_link (source_id, host_id, url_hash, url, domain)
  SELECT s.source_id, u.host_id, u.url_hash, u.url, substring(u.url FROM '//([^/]*)')
    FROM source s, LATERAL (SELECT * FROM url u WHERE u.host_id = host_key(s.url) LIMIT 3) u
   WHERE s.kind = 'watch';
  INSERT INTO job (source_id) SELECT source_id FROM source WHERE kind = 'watch';
  ANALYZE;
"""


@pytest.mark.parametrize(
    "url",
    [
        "http://a.test/",
        "https://www.example.co.uk:8443/a/b?c=d",
        "http://[2001:db8::1]:8080/x",
        "http://127.0.0.1/",
        "https://xn--bcher-kva.example/ü",
    ],
)
async def test_keys_computed_by_the_database_are_those_of_the_crawler(pool: asyncpg.Pool, url: str):
    async with pool.acquire() as db:
        row = await db.fetchrow("SELECT host_key($1) AS host_id, url_key($1) AS hash", url)

    assert (row["host_id"], row["hash"].hex) == tuple(key_of(url))


async def tables_read_in_full(db: asyncpg.Connection, query: str) -> set[str]:
    """The tables of which a query reads every row, also where it does so through an index."""
    plan = json.loads(await db.fetchval(f"EXPLAIN (FORMAT JSON) {query}"))
    waiting, found = [plan[0]["Plan"]], set()
    while waiting:
        node = waiting.pop()
        waiting += node.get("Plans", [])
        if "Relation Name" in node and not {"Index Cond", "Recheck Cond"} & set(node):
            found.add(node["Relation Name"])
    return found


async def test_a_look_up_takes_an_index(pool: asyncpg.Pool):
    async with pool.acquire() as db:
        await db.execute(FILL)

        full = {name: await tables_read_in_full(db, query) for name, query in LOOKUPS.items()}
        by_address = await tables_read_in_full(
            db, "SELECT title FROM crawled_pages WHERE url = 'http://h1/1'"
        )

    assert full == {name: set() for name in LOOKUPS}
    assert by_address == {"url"}, "that a table is read in full is noticed"
