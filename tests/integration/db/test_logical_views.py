"""The tables of the requirements as views: their columns, their values, and that a look-up takes an index."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import asyncpg
import pytest
from tests.support.make import Operator, completion, draft

from outrider.documents.store import DocumentStore
from outrider.frontier.model import EntryKind, RequestNote
from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of, key_of, url_hash

# As the requirement of each view lists them.
COLUMNS = {
    "sources": (  # SRC-01
        "id name url rate_limit max_depth selectors enabled feed_url sitemap_url ingestion_mode "
        "feed_poll_interval_minutes feed_disabled_at feed_disable_reason article_url_patterns rules priority "
        "render_mode template_hint identity_key allow_source_discovery disabled_at disable_reason url_policy "
        "created_at updated_at"
    ),
    "host_state": (  # CLM-06
        "host last_fetch_at min_delay_ms robots_txt robots_fetched_at robots_ttl_hours created_at updated_at "
        "is_allowed page_count penalty_delay_ms next_allowed_at block_reason"
    ),
    "feed_state": (  # FED-02
        "source_id feed_url last_polled_at last_etag last_modified last_item_count consecutive_errors "
        "last_error created_at updated_at last_error_type next_poll_at kind"
    ),
    "crawled_pages": (  # STO-01
        "url url_hash domain status_code content_type content_length content_hash title description "
        "links_count discovered_at crawled_at crawl_duration_ms error_message next_crawl_at error_count"
    ),
    "discovered_links": (  # SPI-09
        "source_id source_name url parent_url depth domain http_status content_type discovered_at queued_at "
        "status priority"
    ),
    "url_frontier": (  # FRO-01
        "id url url_hash host source_id origin parent_url depth priority status next_fetch_at "
        "last_fetched_at fetch_count content_hash etag last_modified retry_count last_error discovered_at "
        "created_at updated_at"
    ),
}
SITE = "http://a.test/"


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    made = await Operator.enter(database)
    yield made
    await made.connection.close()


async def rows(operator: Operator, query: str, *arguments: Any) -> list[dict[str, Any]]:
    found = await operator.run(lambda db: db.fetch(query, *arguments))
    return [dict(row) for row in found]


async def new_source(operator: Operator, name: str = "news", **policy: Any) -> int:
    query = (
        "INSERT INTO source (name, kind, mode, url, policy, selectors, template) "
        "VALUES ($1, 'watch', 'both', $2, $3, $4, 'ghost') RETURNING source_id"
    )
    selectors = {"article": {"title": "h1"}}
    source_id: int = await operator.run(lambda db: db.fetchval(query, name, SITE, policy, selectors))
    return source_id


async def new_channel(operator: Operator, source_id: int, url: str, kind: EntryKind, **changes: Any) -> None:
    values = {"source_id": source_id, "url": url, "kind": kind.value, **changes}
    values |= {"host_id": key_of(url).host_id, "url_hash": key_of(url).hash}
    places = ", ".join(f"${n}" for n in range(1, len(values) + 1))
    query = f"INSERT INTO channel ({', '.join(values)}) VALUES ({places})"
    await operator.run(lambda db: db.execute(query, *values.values()))


@pytest.mark.parametrize(("view", "columns"), COLUMNS.items(), ids=COLUMNS)
async def test_a_view_has_the_columns_of_its_requirement(pool: asyncpg.Pool, view: str, columns: str):
    async with pool.acquire() as db:
        statement = await db.prepare(f"SELECT {', '.join(columns.split())} FROM {view}")

        assert [column.name for column in statement.get_attributes()] == columns.split()
        assert await statement.fetch() is not None


async def test_a_source_shows_what_was_said_and_the_defaults_of_the_rest(operator: Operator):
    """SRC-01."""
    await new_source(operator, "plain")
    source_id = await new_source(
        operator,
        delay_s=2.5,
        max_depth=5,
        poll_s=600.0,
        article_patterns=["/a/"],
        include=["/b"],
        keep_slash=True,
        recrawl_s=None,
    )
    await new_channel(operator, source_id, f"{SITE}feed", EntryKind.FEED)
    await new_channel(operator, source_id, f"{SITE}map.xml", EntryKind.SITEMAP)
    await new_channel(operator, source_id, f"{SITE}maybe", EntryKind.FEED, is_candidate=True)

    shown = {row["name"]: row for row in await rows(operator, "SELECT * FROM sources WHERE url = $1", SITE)}

    names = (
        "rate_limit",
        "max_depth",
        "feed_poll_interval_minutes",
        "article_url_patterns",
        "rules",
        "url_policy",
    )
    assert [shown["plain"][name] for name in names] == ["1s", 3, 15, [], {}, {}]
    assert [shown["news"][name] for name in names] == [
        "2.5s",
        5,
        10,
        ["/a/"],
        {"include": ["/b"]},
        {"keep_slash": True},
    ]
    news = shown["news"]
    assert (news["feed_url"], news["sitemap_url"]) == (f"{SITE}feed", f"{SITE}map.xml")
    assert (news["ingestion_mode"], news["template_hint"], news["enabled"]) == ("both", "ghost", True)
    assert news["selectors"] == {"article": {"title": "h1"}}
    assert news["id"] == await operator.run(
        lambda db: db.fetchval("SELECT public_id FROM source WHERE source_id = $1", source_id)
    )


async def test_a_disabled_feed_says_since_when_and_why(operator: Operator):
    source_id = await new_source(operator)
    [now] = await rows(operator, "SELECT now() AS at")
    await new_channel(
        operator, source_id, f"{SITE}feed", EntryKind.FEED, disabled_at=now["at"], disable_reason="gone"
    )

    [shown] = await rows(operator, "SELECT * FROM sources WHERE name = 'news'")

    assert (shown["feed_disabled_at"], shown["feed_disable_reason"]) == (now["at"], "gone")
    assert shown["enabled"]


async def test_a_host_shows_how_gently_it_is_treated(operator: Operator):
    """CLM-06."""
    await operator.queue(SITE, "http://b.test/", "http://c.test/")
    host_id = host_id_of("a.test")
    text = b"User-agent: *\nDisallow: /\xc3\xa9"

    async def learn(db: asyncpg.Connection) -> None:
        await db.execute("UPDATE host SET delay_ms = 1500, penalty_ms = 250 WHERE host_id = $1", host_id)
        await db.execute("UPDATE host_info SET pages = 4 WHERE host_id = $1", host_id)
        await db.execute(
            "UPDATE host SET next_allowed_at = 'infinity' WHERE host_id = $1", host_id_of("b.test")
        )
        await db.execute(
            "UPDATE host_info SET block_reason = 'asked us to' WHERE host_id = $1", host_id_of("b.test")
        )
        await db.execute("UPDATE host_info SET last_fetch_at = now() WHERE host_id = $1", host_id)
        for host, body in (("a.test", text), ("c.test", b"\xff\x00")):
            await RobotsStore().remember(
                db,
                host_id=host_id_of(host),
                origin=f"http://{host}",
                status=200,
                body=body,
                life_s=86_400,
            )

    await operator.run(learn)
    shown = {row["host"]: row for row in await rows(operator, "SELECT * FROM host_state")}

    names = ("min_delay_ms", "penalty_delay_ms", "page_count", "is_allowed", "robots_txt", "robots_ttl_hours")
    assert [shown["a.test"][name] for name in names] == [1500, 250, 4, True, text.decode(), 24]
    assert shown["a.test"]["updated_at"] == shown["a.test"]["last_fetch_at"]
    blocked = shown["b.test"]
    assert (blocked["is_allowed"], blocked["next_allowed_at"], blocked["block_reason"]) == (
        False,
        None,
        "asked us to",
    )
    assert shown["c.test"]["robots_txt"] == "\\377\\000", "bytes that are no text do not break the query"


async def test_feeds_and_sitemaps_have_each_a_state(operator: Operator):
    """FED-02."""
    source_id = await new_source(operator)
    feed, sitemap = f"{SITE}feed", f"{SITE}map.xml"
    [now] = await rows(operator, "SELECT now() AS at")
    await new_channel(
        operator,
        source_id,
        feed,
        EntryKind.FEED,
        etag='"e"',
        last_modified="m",
        items=7,
        errors=2,
        last_error="no answer",
        error_type="network",
        polled_at=now["at"],
    )
    await new_channel(operator, source_id, sitemap, EntryKind.SITEMAP)
    await operator.queue(feed, kind=EntryKind.FEED, source_id=source_id)
    [queued] = await rows(operator, "SELECT next_fetch_at FROM url WHERE url = $1", feed)

    shown = {row["kind"]: row for row in await rows(operator, "SELECT * FROM feed_state")}

    names = ("last_etag", "last_modified", "last_item_count", "consecutive_errors", "last_error")
    assert [shown["feed"][name] for name in names] == ['"e"', "m", 7, 2, "no answer"]
    assert (shown["feed"]["feed_url"], shown["feed"]["last_error_type"]) == (feed, "network")
    assert (shown["feed"]["last_polled_at"], shown["feed"]["next_poll_at"]) == (
        now["at"],
        queued["next_fetch_at"],
    )
    assert shown["sitemap"]["feed_url"] == sitemap
    assert shown["sitemap"]["last_polled_at"] is None
    assert shown["feed"]["source_id"] == shown["sitemap"]["source_id"]


def note(url: str, **changes: Any) -> RequestNote:
    return RequestNote(key_of(url), "fetched", 200, 40, 900, 0.0)._replace(**changes)


async def test_a_crawled_page_shows_what_the_last_request_brought(operator: Operator):
    """STO-01."""
    url = f"{SITE}page"
    page = draft(url, "Some text.", title="T", description="D", content_type="text/html", links_count=3)
    await operator.queue(url)
    await operator.run(lambda db: DocumentStore().keep(db, [page], 0))
    first = note(
        url, status=503, elapsed_ms=9, content_type="text/plain", error_message="the server answered 503"
    )
    last = note(url, content_type="text/html; charset=utf-8", content_length=900)
    for each in (first, last):
        await operator.run(lambda db, each=each: operator.store.note_requests(db, [each]))  # type: ignore[misc]
    await operator.run(
        lambda db: db.execute("UPDATE fetch_log SET at = at - interval '1 minute' WHERE http_status = 503")
    )
    await operator.complete(completion(url))

    [row] = await rows(operator, "SELECT * FROM crawled_page($1)", url)

    assert row.pop("discovered_at") <= row.pop("crawled_at")
    assert str(row.pop("id")).replace("-", "") == url_hash(url)[:32]
    assert row == {
        "url": url,
        "url_hash": url_hash(url),
        "host_id": host_id_of("a.test"),
        "domain": "a.test",
        "status": "fetched",
        "status_code": 200,
        "content_type": "text/html; charset=utf-8",
        "content_length": len("Some text."),
        "content_hash": page.content_hash.hex(),
        "title": "T",
        "description": "D",
        "links_count": 3,
        "crawl_duration_ms": 40,
        "error_message": None,
        "next_crawl_at": None,
        "error_count": 0,
    }


async def test_every_known_page_has_a_status(operator: Operator):
    """STO-02."""
    ends: dict[str, dict[str, Any] | None] = {
        "new": None,
        "fetched": {},
        "again": {"reason": "timeout", "retry_in_s": 60, "attempts": 1, "status": None},
        "lost": {"reason": "not_found", "status": 404},
        "private": {"reason": "robots_blocked", "status": None},
        "moved": {"moved_to": key_of(f"{SITE}fetched"), "status": 301},
    }
    await operator.queue(*(SITE + name for name in ends))
    await operator.queue(f"{SITE}robots.txt", kind=EntryKind.ROBOTS)
    failed = note(f"{SITE}again", status=None, error_message="no answer in 5 s")
    await operator.run(lambda db: operator.store.note_requests(db, [failed]))
    await operator.complete(
        *(completion(SITE + name, **end) for name, end in ends.items() if end is not None)
    )

    shown = {
        row["url"].removeprefix(SITE): row for row in await rows(operator, "SELECT * FROM crawled_pages")
    }

    assert {name: row["status"] for name, row in shown.items()} == {
        "new": "never_crawled",
        "fetched": "fetched",
        "again": "failed",
        "lost": "failed",
        "private": "blocked",
        "moved": "redirected",
    }
    assert {name: row["error_message"] for name, row in shown.items() if row["error_message"]} == {
        "again": "no answer in 5 s",
        "lost": "not_found",
        "private": "robots_blocked",
    }
    assert (shown["again"]["error_count"], shown["new"]["crawled_at"]) == (1, None)
    assert shown["again"]["next_crawl_at"] - shown["again"]["crawled_at"] == timedelta(seconds=60)


async def test_a_page_that_did_not_change_keeps_the_type_of_its_document(operator: Operator):
    url = f"{SITE}page"
    await operator.queue(url)
    await operator.run(lambda db: DocumentStore().keep(db, [draft(url, content_type="text/html")], 0))
    await operator.run(lambda db: operator.store.note_requests(db, [note(url, status=304, content_length=0)]))
    await operator.complete(completion(url, status=304))

    [row] = await rows(operator, "SELECT content_type, content_length FROM crawled_pages")

    assert row["content_type"] == "text/html"
    assert row["content_length"] > 0


async def test_a_discovered_link_says_who_found_it_and_what_became_of_it(operator: Operator):
    """SPI-09."""
    source_id = await new_source(operator)
    outside = "http://b.test/x"
    key = key_of(outside)
    await operator.run(
        lambda db: db.execute(
            "INSERT INTO discovered_link (source_id, host_id, url_hash, url, domain, parent_url, depth) "
            "VALUES ($1, $2, $3, $4, 'b.test', $5, 2)",
            source_id,
            key.host_id,
            key.hash,
            outside,
            SITE,
        )
    )
    await operator.queue(outside)
    await operator.run(lambda db: DocumentStore().keep(db, [draft(outside, content_type="text/html")], 0))
    await operator.complete(completion(outside, status=200))

    [row] = await rows(operator, "SELECT * FROM discovered_links")

    assert row.pop("discovered_at")
    assert row.pop("source_id") == await operator.run(
        lambda db: db.fetchval("SELECT public_id FROM source WHERE source_id = $1", source_id)
    )
    assert row == {
        "source_name": "news",
        "url": outside,
        "parent_url": SITE,
        "depth": 2,
        "domain": "b.test",
        "http_status": 200,
        "content_type": "text/html",
        "queued_at": None,
        "status": "new",
        "priority": 3,
    }


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
