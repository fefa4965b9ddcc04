"""The example shop, its visitors and its owner in a browser: nobody who follows an old link is lost."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
import httpx
import pytest
import uvicorn
from examples.shop.app import Shop, make_app
from playwright.async_api import Browser, BrowserContext
from starlette.applications import Starlette
from tests.support.asgi import AGENT, until
from tests.support.browsing import PATIENCE_MS, signed_in, watched
from tests.support.dashboard_server import Dashboard

from outrider.db.pool import use_json
from outrider.redirects import recorder
from outrider.redirects.asgi import RedirectMiddleware
from outrider.services.sites.content import put_paths
from outrider.services.sites.sites import SiteRequest, add_site, remove_site
from outrider.sites.model import LivePath

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.serial, pytest.mark.timeout(300)]

SITE = "corner-shop"
_BROKEN = "SELECT path FROM broken_url JOIN site USING (site_id) WHERE name = $1 AND status = 'pending'"
_ONLY_OURS = """
UPDATE site_link SET is_ignored = true WHERE site_id <> (SELECT site_id FROM site WHERE name = $1)
"""
STORM = 3_000  # requests
AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class OpenShop:
    """The shop on a port of its own."""

    app: Starlette
    address: str
    key: str
    db: asyncpg.Connection

    @property
    def shop(self) -> Shop:
        return self.app.state.shop

    @property
    def middleware(self) -> RedirectMiddleware:
        layer: Any = self.app.middleware_stack
        while not isinstance(layer, RedirectMiddleware):
            layer = layer.app
        return layer


@asynccontextmanager
async def open_shop(dsn: str) -> AsyncIterator[OpenShop]:
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    db = await asyncpg.connect(dsn)
    await use_json(db)
    try:
        key = (await add_site(db, SiteRequest(SITE, address))).key
        app = make_app(dsn, SITE)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await until(lambda: server.started, "the shop is open")
        yield OpenShop(app, address, key, db)
        server.should_exit = True
        await serving
        await remove_site(db, SITE)
    finally:
        await db.close()


@asynccontextmanager
async def visitor_of(browser: Browser, address: str) -> AsyncIterator[BrowserContext]:
    """A person: programs are not counted as visitors."""
    context = await browser.new_context(base_url=address, user_agent=AGENT)
    context.set_default_timeout(PATIENCE_MS)
    try:
        yield context
    finally:
        await context.close()


async def arrival(visitor: BrowserContext, link: str) -> tuple[int, str, str]:
    """Follow a link in a new tab: the status, the address in the end, and the heading."""
    tab = await visitor.new_page()
    answer = await tab.goto(link)
    assert answer is not None
    heading = tab.locator("h1")
    found = (answer.status, tab.url, await heading.inner_text() if await heading.count() else "")
    await tab.close()
    return found


async def storm(address: str) -> None:
    """A scanner asks for paths that never existed."""
    names = random.Random(1)
    paths = [f"/{names.getrandbits(64):x}/wp-login-{number}.php" for number in range(STORM)]
    async with httpx.AsyncClient(base_url=address, headers={"User-Agent": AGENT}) as scanner:

        async def scan(mine: list[str]) -> None:
            for path in mine:
                assert (await scanner.get(path)).status_code == 404

        await asyncio.gather(*(scan(paths[first::AT_ONCE]) for first in range(AT_ONCE)))


async def test_visitors_of_a_shop_arrive_and_its_owner_sees_what_is_broken(
    browser: Browser, dashboard: Dashboard
):
    async with open_shop(dashboard.dsn) as opened, visitor_of(browser, opened.address) as visitor:
        shop, address, db = opened.shop, opened.address, opened.db
        red, blue, sundial = [await shop.add(title) for title in ("Red shoe", "Blue shoe", "Sundial")]

        async def leads(link: str, to: str, heading: str) -> bool:
            return await arrival(visitor, link) == (200, address + to, heading)

        # Renamed and deleted: the old links arrive.
        assert await leads(red, red, "Red shoe")
        assert await leads(sundial, sundial, "Sundial")
        crimson = await shop.rename(red, "Crimson shoe")
        await until(lambda: opened.middleware.figures().redirects_loaded == 1, "the rename arrives")
        assert await leads("/Shoes/Red-Shoe/?from=mail", f"{crimson}?from=mail", "Crimson shoe")
        await shop.delete(blue)
        await until(lambda: opened.middleware.figures().redirects_loaded == 2, "the deletion arrives")
        assert await leads(blue, "/shoes", "Shoes")

        # A storm of a scanner leaves nothing.
        await storm(address)
        waiting = opened.middleware.service.recorder
        assert len(waiting._misses) <= recorder.MOST_WAITING
        await until(lambda: not waiting._misses, "the reports are taken")
        assert len(waiting._reported_at) <= recorder.MOST_REMEMBERED
        assert await db.fetch(_BROKEN, SITE) == []

        # A page is lost without an event. It had a visitor, so its 404 is a loss.
        await until(lambda: seen(db, sundial), "the view is counted")
        del shop.titles[sundial]
        await put_paths(db, SITE, [LivePath(each) for each in ("/", *shop.titles)], "owner")
        assert (await arrival(visitor, sundial))[0] == 404

        async def broken() -> list[str]:
            return [row["path"] for row in await db.fetch(_BROKEN, SITE)]

        async def is_listed() -> bool:
            return await broken() == [sundial]

        await until(is_listed, "the lost page is listed, and no path of the scanner")

        # The owner resolves it on the dashboard.
        async with signed_in(browser, dashboard.address, "admin") as owner:
            tab = await watched(owner, dashboard.address)
            await tab.open(f"/sites/{SITE}?tab=broken")
            await tab.page.get_by_label(f"Destination of {sundial}").fill(crimson)
            await tab.page.get_by_role("button", name="Redirect", exact=True).click()
            await tab.page.get_by_text("Nothing to review").wait_for()
            await until(lambda: opened.middleware.figures().redirects_loaded == 3, "the redirect arrives")
            assert await leads(sundial, crimson, "Crimson shoe")

            # Dead links in the content: the badge counts them until each is mended or ignored.
            badge = tab.page.locator(".menu-badge").first
            await db.execute(_ONLY_OURS, SITE)  # the site of the demo has dead links, too
            await save(dashboard.address, opened.key, blue, "/never", crimson)
            await tab.open("/overview")
            assert (await badge.inner_text()).split()[0] == "2"
            await save(dashboard.address, opened.key, "/shoes", "/never", crimson)
            await tab.open(f"/sites/{SITE}?tab=links")
            assert (await badge.inner_text()).split()[0] == "1"
            await tab.page.locator("tr", has_text="/never").get_by_role("button", name="Ignore").click()
            await badge.wait_for(state="detached")
            await tab.open("/overview")
            assert await tab.page.locator(".menu-badge").count() == 0
            assert tab.complaints == []


async def seen(db: asyncpg.Connection, path: str) -> bool:
    return bool(await db.fetchval("SELECT sum(views) FROM site_view WHERE path = $1", path))


async def save(dashboard: str, key: str, *links: str) -> None:
    """Save the links of the menu, as the shop does."""
    async with httpx.AsyncClient(base_url=dashboard, timeout=60) as cms:
        answer = await cms.put(
            f"/api/v1/sites/{SITE}/links/nav.main",
            json={"links": list(links)},
            headers={"Authorization": f"Bearer {key}"},
        )
        assert answer.status_code == 200, answer.text
