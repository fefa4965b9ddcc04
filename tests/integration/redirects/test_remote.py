"""The middleware on another machine: it follows the export of the API, and reports in batches."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest
from aiohttp import web
from tests.support.asgi import ask, plain_app, running, until
from tests.support.sites import ALL, SiteOwner

from outrider.redirects.asgi import RedirectMiddleware
from outrider.redirects.formats.registry import RedirectFormat
from outrider.redirects.monitor import Miss
from outrider.services.sites.broken_urls import list_broken
from outrider.services.sites.redirect_files import export_redirects
from outrider.services.sites.reports import report_hits, report_misses, report_views
from outrider.services.sites.sites import site_of_key


class SmallApi:
    """The endpoints that a middleware uses, over the use cases."""

    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool
        self.statuses: list[int] = []
        self.is_away = self.takes_no_hits = False
        self.refused_hits = 0
        self.may_refuse = asyncio.Event()
        self.may_refuse.set()
        self.app = web.Application()
        prefix = "/api/v1/sites/{site}"
        self.app.router.add_get(f"{prefix}/redirects/export", self.export)
        self.app.router.add_post(f"{prefix}/redirects/hits", self.hits)
        self.app.router.add_post(f"{prefix}/views", self.views)
        self.app.router.add_post(f"{prefix}/not-found", self.not_found)

    async def site(self, request: web.Request, db: asyncpg.Connection) -> str:
        key = request.headers["Authorization"].removeprefix("Bearer ")
        if self.is_away:
            raise web.HTTPServiceUnavailable
        if await site_of_key(db, key) is None:
            raise web.HTTPUnauthorized
        return request.match_info["site"]

    async def export(self, request: web.Request) -> web.Response:
        async with self.pool.acquire() as db:
            site = await self.site(request, db)
            found = await export_redirects(
                db, site, RedirectFormat.JSON, request.headers.get("If-None-Match")
            )
        self.statuses.append(304 if found.file is None else 200)
        if found.file is None:
            return web.Response(status=304, headers={"ETag": found.etag})
        return web.Response(text=found.file.text, headers={"ETag": found.etag})

    async def hits(self, request: web.Request) -> web.Response:
        if self.takes_no_hits:
            self.refused_hits += 1
            await self.may_refuse.wait()
            raise web.HTTPServiceUnavailable
        async with self.pool.acquire() as db:
            await report_hits(db, await self.site(request, db), (await request.json())["hits"])
        return web.Response()

    async def views(self, request: web.Request) -> web.Response:
        async with self.pool.acquire() as db:
            await report_views(db, await self.site(request, db), (await request.json())["views"])
        return web.Response()

    async def not_found(self, request: web.Request) -> web.Response:
        async with self.pool.acquire() as db:
            misses = [Miss(**each) for each in (await request.json())["paths"]]
            await report_misses(db, await self.site(request, db), misses)
        return web.Response()


@pytest.fixture
async def api(pool: asyncpg.Pool) -> AsyncIterator[tuple[SmallApi, str]]:
    """An API on loopback and its address."""
    made = SmallApi(pool)
    runner = web.AppRunner(made.app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield made, f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def test_it_syncs_by_etag_and_reports_in_batches(shop: SiteOwner, api: tuple[SmallApi, str]):
    server, address = api
    await shop.create("/old", "/a")
    await shop.saw(lost=2)
    await shop.set(bot_words=["ourprobe"])
    app = RedirectMiddleware(plain_app, site="shop", api_url=address, key=shop.key)
    async with running(app):
        assert (await ask(app, "/Old/?x=1")).location == "/a?x=1"
        await ask(app, "/b")
        await ask(app, "/c", agent="OurProbe/1")
        await ask(app, "/lost")
        await until(lambda: 304 in server.statuses, "the same version is not sent again")
        assert server.statuses.count(200) == 1
        await shop.create("/new", "/b")
        await until(lambda: len(app.service.follower.table) == 2, "the change arrives")

    assert {each.from_path: each.hit_count for each in await shop.listed()} == {"/old": 1, "/new": 0}
    views = await shop.db.fetch("SELECT path, views FROM site_view ORDER BY path")
    assert [tuple(row) for row in views] == [("/b", 1), ("/lost", 2)], "views of programs do not count"
    assert [each.path for each in (await list_broken(shop.db, shop.name, ALL)).items] == ["/lost"]


async def test_it_keeps_serving_while_the_api_is_away(shop: SiteOwner, api: tuple[SmallApi, str]):
    server, address = api
    await shop.create("/old", "/a")
    app = RedirectMiddleware(plain_app, site="shop", api_url=f"{address}/api/v1/", key=shop.key)
    async with running(app):
        server.is_away = True
        await until(lambda: app.figures().error is not None, "the loss is noticed")
        assert (await ask(app, "/old")).location == "/a"
        server.is_away = False
        await until(lambda: app.figures().error is None, "the API is back")


async def test_a_report_that_is_refused_is_sent_again(shop: SiteOwner, api: tuple[SmallApi, str]):
    server, address = api
    await shop.create("/old", "/a")
    app = RedirectMiddleware(plain_app, site="shop", api_url=address, key=shop.key)
    async with running(app):
        server.takes_no_hits = True
        await ask(app, "/old")
        await until(lambda: server.refused_hits > 0, "the hit is refused")
        server.takes_no_hits = False
    assert [each.hit_count for each in await shop.listed()] == [1]


async def test_a_report_that_is_refused_during_a_stop_is_sent_again(
    shop: SiteOwner, api: tuple[SmallApi, str]
):
    server, address = api
    await shop.create("/old", "/a")
    app = RedirectMiddleware(plain_app, site="shop", api_url=address, key=shop.key)

    async def refuse_while_stopping() -> None:
        await until(app._follower._stopping.is_set, "the middleware stops")
        server.may_refuse.set()

    async with running(app):
        server.takes_no_hits = True
        server.may_refuse.clear()
        await ask(app, "/old")
        await until(lambda: server.refused_hits > 0, "the hit is about to be refused")
        server.takes_no_hits = False
        refusing = asyncio.create_task(refuse_while_stopping())
    await refusing
    assert [each.hit_count for each in await shop.listed()] == [1]


async def test_a_wrong_key_opens_nothing(shop: SiteOwner, api: tuple[SmallApi, str], monkeypatch):
    monkeypatch.setattr("outrider.redirects.asgi.START_PATIENCE_S", 0.2)
    _, address = api
    app = RedirectMiddleware(plain_app, site="shop", api_url=address, key="ork_" + "x" * 43)
    async with running(app):
        await until(lambda: "401" in (app.figures().error or ""), "the key is refused")
        assert (await ask(app, "/a")).status == 200
    await asyncio.sleep(0)
