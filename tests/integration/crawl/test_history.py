"""What the history of requests says: where each went, what came of it, and how long it took."""

import asyncio

from tests.support.site import Answer, html, redirect

from outrider.crawl.pages.handler import PageHandler


async def test_a_hop_is_kept_with_where_it_led_its_status_and_its_time(crawl, serve):
    """RDC-15: long chains and permanent moves can be found in the history."""
    site = serve({"/a": redirect("/b", 301), "/b": redirect("/c", 308), "/c": html("the page")})
    await crawl.seed(site.url + "a")
    began = await crawl.operator.run(lambda db: db.fetchval("SELECT clock_timestamp()"))
    await crawl.run()

    rows = await crawl.operator.run(
        lambda db: db.fetch(
            "SELECT u.url, l.outcome, l.http_status, l.at BETWEEN $1 AND clock_timestamp() AS is_now "
            "FROM fetch_log l JOIN url u USING (host_id, url_hash) WHERE u.url = ANY ($2) ORDER BY l.at",
            began,
            [site.url + "a", site.url + "b"],
        )
    )
    assert [tuple(row) for row in rows] == [
        (site.url + "a", f"redirected to {site.url}b", 301, True),
        (site.url + "b", f"redirected to {site.url}c", 308, True),
    ]


async def test_every_request_leaves_its_status_size_duration_and_error(crawl, serve):
    """FET-20."""
    page = html("x" * 2_000)
    slow = Answer(body=page.body, headers=page.headers, delay=0.2)
    site = serve(
        {"/page": slow, "/gone": Answer(status=410, body="y" * 300), "/broken": Answer(hang_up=True)}
    )
    crawl.set("crawl", transport_tries=1)
    await crawl.seed(site.url + "page", site.url + "gone", site.url + "broken")
    await crawl.run()

    rows = await crawl.operator.run(
        lambda db: db.fetch(
            "SELECT u.url, l.* FROM fetch_log l JOIN url u USING (host_id, url_hash) WHERE u.kind = 0"
        )
    )
    by_path = {row["url"].removeprefix(site.url): row for row in rows}
    assert {path: (row["outcome"], row["http_status"]) for path, row in by_path.items()} == {
        "page": ("fetched", 200),
        "gone": ("rejected", 410),
        "broken": ("connection_reset", None),
    }
    assert by_path["page"]["elapsed_ms"] >= 150
    assert by_path["page"]["wire_bytes"] > 2_000
    assert by_path["gone"]["wire_bytes"] == 300
    worker_ids = await crawl.operator.run(lambda db: db.fetch("SELECT worker_id FROM worker"))
    assert {row["worker_id"] for row in rows} <= {row["worker_id"] for row in worker_ids}
    document = await crawl.document(site.url + "page")
    assert document["content_type"] == "text/html; charset=utf-8"


async def test_a_request_is_written_together_with_its_page(crawl, serve, monkeypatch):
    """A worker that dies in between makes the request again, and it is counted once."""
    noted = "SELECT l.at FROM fetch_log l JOIN url u USING (host_id, url_hash) WHERE u.kind = 0"
    before = []

    async def read_after_a_flush(self, visit, fetched):
        answered = await crawl.operator.run(lambda db: db.fetchval("SELECT clock_timestamp()"))
        await visit.context.flusher.written()
        await asyncio.sleep(0.3)  # a page that takes long to read
        before.append((answered, await crawl.operator.run(lambda db: db.fetch(noted))))

    monkeypatch.setattr(PageHandler, "read", read_after_a_flush)
    site = serve({"/": html("a page")})
    await crawl.seed(site.url)
    await crawl.run()

    [(answered, noted_before)] = before
    [row] = await crawl.operator.run(lambda db: db.fetch(noted))
    assert noted_before == []
    assert (row["at"] - answered).total_seconds() < 0.2
