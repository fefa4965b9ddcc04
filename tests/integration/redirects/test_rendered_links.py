"""Links that the crawler found in the pages of an owned site."""

from collections.abc import AsyncIterator

import asyncpg
import pytest
from tests.support.sites import ALL, SiteOwner

from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.packing import pack_links
from outrider.errors import Conflict
from outrider.hrefs import Hrefs
from outrider.links.monitor.model import StoredLink
from outrider.redirects.rendered_links import register_all, register_rendered
from outrider.services.sites.content_links import save_site_field
from outrider.services.sites.crawled import register_links
from outrider.services.sites.links import StoredLinkFilter, list_site_links
from outrider.services.sites.sites import find_site
from outrider.urls import key_of

BASE = "https://shop.test"
ADD_URL = """
INSERT INTO url (host_id, url_hash, url, http_status) VALUES ($1, $2, $3, 200)
ON CONFLICT (host_id, url_hash) DO NOTHING
"""
ADD_DOCUMENT = """
INSERT INTO document (host_id, url_hash, source_id, bytes, words, http_status, content_hash, base, links)
VALUES ($1, $2, 1, 1, 1, 200, 'x', $3, $4)
ON CONFLICT (host_id, url_hash) DO UPDATE SET links = excluded.links
"""


@pytest.fixture
async def shop(db: asyncpg.Connection) -> SiteOwner:
    made = await SiteOwner.register(db, crawl_links=True)
    await made.has_pages("/", "/shoes", "/about")
    return made


@pytest.fixture
async def connection(database: str) -> AsyncIterator[ReconnectingConnection]:
    opened = ReconnectingConnection(database, application_name="test of rendered links")
    yield opened
    await opened.close()


async def crawl(shop: SiteOwner, path: str, *links: str) -> None:
    """A page of the site as a crawl stores it."""
    url = BASE + path
    key = key_of(url)
    await shop.db.execute(ADD_URL, key.host_id, key.hash, url)
    await shop.db.execute(
        ADD_DOCUMENT, key.host_id, key.hash, url, pack_links(Hrefs.of(dict.fromkeys(links, False)))
    )


async def register(shop: SiteOwner, **more: int):
    async def run(work):
        async with shop.db.transaction():
            return await work(shop.db)

    return await register_rendered(run, await find_site(shop.db, shop.name), **more)


async def links(shop: SiteOwner) -> list[StoredLink]:
    site = await find_site(shop.db, shop.name)
    return list((await list_site_links(shop.db, site.site_id, StoredLinkFilter(ignored=True), ALL)).items)


async def stored(shop: SiteOwner) -> dict[tuple[str, str], tuple[str, str | None]]:
    return {
        (each.source_key, each.url): (each.status.value, each.reason and each.reason.value)
        for each in await links(shop)
    }


async def test_links_of_crawled_pages_are_registered_by_page(shop: SiteOwner):
    await crawl(shop, "/", "/shoes", "/gone", "https://a.test/x", "mailto:a@b.test", "#top")
    await crawl(shop, "/about", "https://a.test/x")

    found = await register(shop)

    assert await stored(shop) == {
        ("page:/", "/gone"): ("dead", "no_route"),
        ("page:/", "https://a.test/x"): ("unchecked", None),
        ("page:/about", "https://a.test/x"): ("unchecked", None),
    }
    assert (found.pages, found.links, found.live) == (2, 3, 2)
    queued = await shop.db.fetchval("SELECT count(*) FROM url WHERE kind = 4")
    assert queued == 1, "an address is one check, and links within the site are none"


async def test_links_to_live_paths_of_the_inventory_need_no_check(shop: SiteOwner):
    await crawl(shop, "/", "/shoes", "/Shoes/?color=red", f"{BASE}/about#team")

    found = await register(shop)

    assert (await stored(shop), found.live) == ({}, 3)
    assert await shop.db.fetchval("SELECT count(*) FROM url WHERE kind = 4") == 0


async def test_a_page_that_is_deleted_makes_the_links_to_it_dead_with_the_next_pass(shop: SiteOwner):
    await crawl(shop, "/", "/shoes")
    await register(shop)
    await shop.tell("deleted", "/shoes")
    await register(shop)
    assert await stored(shop) == {("page:/", "/shoes"): ("dead", "item_not_found")}

    await shop.tell("created", "/shoes")
    assert await stored(shop) == {("page:/", "/shoes"): ("ok", "live_path")}
    await register(shop)
    assert await stored(shop) == {}


async def test_without_an_inventory_links_within_the_site_are_not_judged(db: asyncpg.Connection):
    shop = await SiteOwner.register(db, crawl_links=True)
    await crawl(shop, "/", "/shoes", "https://a.test/x")

    await register(shop)

    assert set(await stored(shop)) == {("page:/", "https://a.test/x")}


@pytest.mark.parametrize("change", ["reason = 'not_found'", "redirect_host_id = 1, redirect_hash = url_hash"])
async def test_a_page_that_is_gone_drops_its_links(shop: SiteOwner, change: str):
    await crawl(shop, "/", "https://a.test/x")
    await crawl(shop, "/about", "https://a.test/y")
    await register(shop)
    await shop.db.execute(f"UPDATE url SET {change} WHERE url = $1", f"{BASE}/about")

    found = await register(shop)

    assert set(await stored(shop)) == {("page:/", "https://a.test/x")}
    assert found.dropped == 1


async def test_a_page_that_did_not_change_is_not_written(shop: SiteOwner):
    await crawl(shop, "/", "https://a.test/x")
    await register(shop)
    before = [(each.link_id, each.updated_at) for each in await links(shop)]
    await register(shop)
    assert [(each.link_id, each.updated_at) for each in await links(shop)] == before

    await crawl(shop, "/", "https://a.test/x", "https://a.test/y")
    await register(shop)
    assert {url for _, url in await stored(shop)} == {"https://a.test/x", "https://a.test/y"}


async def test_a_field_that_the_owner_saves_is_left_alone(shop: SiteOwner):
    site = await find_site(shop.db, shop.name)
    await save_site_field(shop.db, site, "page:/", ["https://mine.test/"])
    await crawl(shop, "/", "https://a.test/x")

    await register(shop)

    assert set(await stored(shop)) == {("page:/", "https://mine.test/")}


async def test_the_number_of_links_is_bounded(shop: SiteOwner):
    await crawl(shop, "/", *(f"https://a.test/{number}" for number in range(20)))
    await crawl(shop, "/about", *(f"https://b.test/{number}" for number in range(20)))

    await register(shop, most_links=25)

    assert len(await links(shop)) == 25


async def test_many_pages_are_read_in_parts(shop: SiteOwner, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("outrider.redirects.crawled.PAGES_AT_ONCE", 3)
    for number in range(10):
        await crawl(shop, f"/p/{number}", f"https://a.test/{number}")

    found = await register(shop)

    assert (found.pages, found.links) == (10, 10)
    assert {key for key, _ in await stored(shop)} == {f"page:/p/{number}" for number in range(10)}


async def test_it_is_off_by_default_and_switching_it_off_drops_the_links(
    db: asyncpg.Connection, connection: ReconnectingConnection
):
    shop = await SiteOwner.register(db)
    await crawl(shop, "/", "https://a.test/x")
    await register_all(connection)
    assert await stored(shop) == {}
    with pytest.raises(Conflict, match="crawl_links"):
        await register_links(db, shop.name)

    await shop.set(crawl_links=True)
    await register_all(connection)
    assert set(await stored(shop)) == {("page:/", "https://a.test/x")}

    await shop.set(crawl_links=False)
    await register_all(connection)
    assert await stored(shop) == {}
