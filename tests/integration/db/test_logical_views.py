"""The tables of the requirements as views: their columns, and the values of sources, hosts and feeds."""

from typing import Any

import asyncpg
import pytest
from tests.support.make import Operator
from tests.support.views import SITE, new_source, rows

from outrider.frontier.model import EntryKind
from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of, key_of

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
    "job_executions": (  # JOB-14
        "id job_id execution_number status started_at completed_at duration_ms items_crawled items_indexed "
        "error_message stack_trace cpu_time_ms memory_peak_mb retry_attempt metadata log_object_key "
        "log_size_bytes log_line_count"
    ),
    "url_frontier": (  # FRO-01
        "id url url_hash host source_id origin parent_url depth priority status next_fetch_at "
        "last_fetched_at fetch_count content_hash etag last_modified retry_count last_error discovered_at "
        "created_at updated_at"
    ),
}


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
