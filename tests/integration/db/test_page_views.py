"""The views of pages and of links that lead out: what the last request brought, and what became of each."""

from datetime import timedelta
from typing import Any

from tests.support.make import Operator, completion, draft, keep_documents
from tests.support.views import SITE, new_source, rows

from outrider.frontier.model import EntryKind, RequestNote
from outrider.urls import host_id_of, key_of, url_hash


def note(url: str, **changes: Any) -> RequestNote:
    return RequestNote(key_of(url), "fetched", 200, 40, 900, 0.0)._replace(**changes)


async def test_a_crawled_page_shows_the_result_of_the_last_request(operator: Operator):
    """STO-01."""
    url = f"{SITE}page"
    page = draft(url, "Some text.", title="T", description="D", content_type="text/html", links_count=3)
    await operator.queue(url)
    await operator.run(lambda db: keep_documents(db, [page]))
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
    await operator.run(lambda db: keep_documents(db, [draft(url, content_type="text/html")]))
    await operator.run(lambda db: operator.store.note_requests(db, [note(url, status=304, content_length=0)]))
    await operator.complete(completion(url, status=304))

    [row] = await rows(operator, "SELECT content_type, content_length FROM crawled_pages")

    assert row["content_type"] == "text/html"
    assert row["content_length"] > 0


async def test_a_discovered_link_has_its_source_and_its_decision(operator: Operator):
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
    await operator.run(lambda db: keep_documents(db, [draft(outside, content_type="text/html")]))
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
