"""What the crawler knows about an owned site, and redirects that are tried on the live site."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
from aiohttp import web
from tests.support.sites import ALL, SiteOwner

from outrider.crawl.politeness.single_fetch import Limits
from outrider.frontier.model import EntryKind
from outrider.services.fetch.polite import polite_fetch
from outrider.services.sites.broken_urls import list_broken
from outrider.services.sites.content import list_paths
from outrider.services.sites.crawled import inventory_from_crawl, take_crawled, verify_redirects
from outrider.services.sites.sites import SiteRequest, add_site
from outrider.settings import load
from outrider.urls import key_of

ADD_URL = """
INSERT INTO url (host_id, url_hash, url, reason, http_status, parent_host_id, parent_hash)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
ADD_DOCUMENT = """
INSERT INTO document (host_id, url_hash, source_id, bytes, words, http_status, content_hash, title)
VALUES ($1, $2, 1, 1, 1, 200, $3, $4)
"""


async def crawl(
    db: asyncpg.Connection,
    url: str,
    content: str = "",
    *,
    title: str = "",
    reason: str | None = None,
    parent: str = "",
    status: int = 404,
) -> None:
    """A row of a crawl; `status` is the answer of a row with a reason."""
    key, from_ = key_of(url), key_of(parent) if parent else None
    refers = (from_.host_id, from_.hash) if from_ else (None, None)
    await db.execute(ADD_URL, key.host_id, key.hash, url, reason, status if reason else 200, *refers)
    if content:
        await db.execute(ADD_DOCUMENT, key.host_id, key.hash, content.encode(), title)


async def test_the_404s_of_a_crawl_are_listed_with_their_referrers_and_renames_are_suggested(shop: SiteOwner):
    base = "https://shop.test"
    await crawl(shop.db, f"{base}/", "home", title="Home")
    await crawl(shop.db, f"{base}/new", "text", title="Shoe")
    await crawl(shop.db, f"{base}/old", "text", title="Shoe", reason="not_found", parent=f"{base}/")
    await crawl(shop.db, f"{base}/dead", reason="not_found", parent=f"{base}/new")
    await crawl(shop.db, "https://elsewhere.test/x", reason="not_found")

    found = await take_crawled(shop.db, shop.name)

    assert [(each.from_path, each.to_path, each.evidence) for each in found.renames] == [
        ("/old", "/new", "same content")
    ]
    rows = {each.path: each for each in (await list_broken(shop.db, shop.name, ALL)).items}
    assert {path: list(row.referrers) for path, row in rows.items()} == {
        "/old": [f"{base}/"],
        "/dead": [f"{base}/new"],
    }
    assert [each.path for each in rows["/old"].suggestions] == ["/new"]
    assert await shop.redirects() == {}, "suggestions are not applied"


async def test_a_410_of_a_crawl_is_listed_with_its_referrer(shop: SiteOwner):
    base = "https://shop.test"
    await crawl(shop.db, f"{base}/", "home")
    await crawl(shop.db, f"{base}/sold", reason="gone", status=410, parent=f"{base}/")
    await crawl(shop.db, f"{base}/secret", reason="forbidden", status=403, parent=f"{base}/")

    await take_crawled(shop.db, shop.name)

    found = (await list_broken(shop.db, shop.name, ALL)).items
    assert [(row.path, list(row.referrers)) for row in found] == [("/sold", [f"{base}/"])]


async def test_a_feed_that_the_crawler_tried_is_no_broken_page(shop: SiteOwner):
    await crawl(shop.db, "https://shop.test/lost", reason="not_found")
    for kind, path in ((EntryKind.FEED, "feed.xml"), (EntryKind.SITEMAP, "sitemap.xml")):
        url = f"https://shop.test/{path}"
        await crawl(shop.db, url, reason="not_found")
        await shop.db.execute("UPDATE url SET kind = $1 WHERE url = $2", kind, url)

    await take_crawled(shop.db, shop.name)

    assert [row.path for row in (await list_broken(shop.db, shop.name, ALL)).items] == ["/lost"]


async def test_a_404_counts_once_for_each_time_the_crawler_met_it(shop: SiteOwner):
    url = "https://shop.test/lost"
    await crawl(shop.db, url, reason="not_found")
    for _ in range(3):
        await take_crawled(shop.db, shop.name)
    [row] = (await list_broken(shop.db, shop.name, ALL)).items
    assert row.recent_404_count == 1

    await shop.db.execute("UPDATE url SET last_fetch_at = now() + interval '1 hour' WHERE url = $1", url)
    await take_crawled(shop.db, shop.name)
    [row] = (await list_broken(shop.db, shop.name, ALL)).items
    assert row.recent_404_count == 2


async def test_an_old_404_of_a_crawl_does_not_reopen_what_answers_again(shop: SiteOwner):
    await crawl(shop.db, "https://shop.test/back", reason="not_found")
    await shop.db.execute("UPDATE url SET last_fetch_at = now() - interval '1 day'")
    await take_crawled(shop.db, shop.name)
    await shop.saw(back=1)

    await take_crawled(shop.db, shop.name)

    assert (await list_broken(shop.db, shop.name, ALL)).items == []


async def test_a_path_that_answers_the_crawler_again_closes_its_row(shop: SiteOwner):
    await shop.saw(back=3, lost=3)
    await shop.missed("/back", "/lost")
    for path in ("back", "lost"):
        await crawl(shop.db, f"https://shop.test/{path}", "text")
    await shop.db.execute(
        "UPDATE url SET last_fetch_at = now()"
        " + CASE WHEN url LIKE '%back' THEN 1 ELSE -1 END * interval '1 hour'"
    )

    found = await take_crawled(shop.db, shop.name)

    assert found.closed == 1
    assert [row.path for row in (await list_broken(shop.db, shop.name, ALL)).items] == ["/lost"]


async def test_the_inventory_can_come_from_a_crawl(shop: SiteOwner):
    await crawl(shop.db, "https://shop.test/A/", "a", title="Page A")
    await crawl(shop.db, "https://shop.test/old", "b", reason="not_found")

    await inventory_from_crawl(shop.db, shop.name, "owner")

    pages = (await list_paths(shop.db, shop.name, ALL)).items
    assert [(page.path, page.title) for page in pages] == [("/a", "Page A")]


@pytest.fixture
async def live_site() -> AsyncIterator[str]:
    """A site that serves some of its redirects rightly."""
    moves = {"/good": "/page", "/dead": "/nothing", "/twice": "/good", "/self": "/self", "/for-now": "/page"}

    async def answer(request: web.Request) -> web.Response:
        if request.path in moves:
            status = 302 if request.path == "/for-now" else 301
            return web.Response(status=status, headers={"Location": moves[request.path]})
        statuses = {"/page": 200, "/gone": 410}
        return web.Response(status=statuses.get(request.path, 404), text="page", content_type="text/html")

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def test_redirects_are_verified_on_the_live_site(db: asyncpg.Connection, live_site: str):
    await add_site(db, SiteRequest("live", live_site))
    owner = SiteOwner(db, "live", "")
    for path in ("/good", "/dead", "/twice", "/absent", "/self", "/for-now"):
        await owner.create(path, "/page")
    for path in ("/gone", "/not-gone"):
        await owner.create(path, None, 410)
    settings = load({"allow_private": "127.0.0.0/8", "delay": "0"}).settings

    async with polite_fetch(settings, None, Limits(5)) as fetch_one:
        found = await verify_redirects(db, fetch_one, "live", 100)

    problems = {each.from_path: each.problem for each in found.problems}
    assert found.checked == 8
    assert set(problems) == {"/dead", "/twice", "/absent", "/self", "/for-now", "/not-gone"}
    assert "404" in problems["/dead"]
    assert "2 hops" in problems["/twice"]
    assert "not redirected" in problems["/absent"]
    assert problems["/for-now"] == "answers 302, not 301"
    assert problems["/not-gone"] == "answers 404, not 410"
