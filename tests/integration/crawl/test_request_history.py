"""Each request leaves a row that says what it brought, or what went wrong."""

from typing import Any

from tests.support.site import Answer, html, redirect

DELAY_MS = 60


async def _rows(crawl: Any, origin: str) -> dict[str, dict[str, Any]]:
    """The last request for each address."""
    rows = await crawl.operator.run(
        lambda db: db.fetch(
            "SELECT DISTINCT ON (u.url) u.url, l.outcome, l.http_status, l.content_type, l.content_length, "
            "l.elapsed_ms, l.error_message FROM fetch_log l JOIN url u USING (host_id, url_hash) "
            "WHERE u.kind = 0 ORDER BY u.url, l.at DESC"
        )
    )
    return {row["url"].removeprefix(origin): dict(row) for row in rows}


async def test_every_request_records_status_content_duration_and_error(crawl, serve):
    """FET-20."""
    page = html("<p>" + "Some words. " * 20)
    site = serve(
        {
            "/page": Answer(body=page.body, headers=page.headers, delay=DELAY_MS / 1000),
            "/file": Answer(body="%PDF" * 50, headers={"Content-Type": "application/pdf"}),
            "/lost": Answer(status=404, body="not here", headers={"Content-Type": "text/plain"}),
            "/moved": redirect("/page"),
            "/astray": redirect("mailto:someone@example.com"),
            "/broken": Answer(hang_up=True),
        }
    )
    paths = ("page", "file", "lost", "moved", "astray", "broken")
    await crawl.seed(*(site.url + path for path in paths))
    await crawl.run()

    rows = await _rows(crawl, site.url)

    facts = {
        path: (row["http_status"], row["content_type"], row["content_length"])
        for path, row in rows.items()
        if path in ("page", "file", "lost", "broken")
    }
    assert facts == {
        "page": (200, "text/html; charset=utf-8", len(page.body)),
        "file": (200, "application/pdf", 200),
        "lost": (404, "text/plain", 8),
        "broken": (None, None, None),
    }
    assert {path: row["error_message"] for path, row in rows.items()} == {
        "page": None,
        "file": None,
        "moved": None,
        "lost": "the server answered 404",
        "astray": rows["astray"]["error_message"],
        "broken": "the server closed the connection before it answered",
    }
    assert rows["astray"]["error_message"]
    assert rows["page"]["elapsed_ms"] >= DELAY_MS
    assert rows["lost"]["elapsed_ms"] < 60_000


async def test_what_a_server_writes_into_its_headers_is_bounded(crawl, serve):
    site = serve(
        {
            "/page": Answer(body="x", headers={"Content-Type": "text/html; x=" + "y" * 2_000}),
        }
    )
    await crawl.seed(site.url + "page")
    await crawl.run()

    rows = await _rows(crawl, site.url)

    assert len(rows["page"]["content_type"]) == 200
