"""`RedirectMiddleware(api_url=…)` against the API over HTTP: it syncs by ETag and reports in batches."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
import uvicorn
from tests.support.api import Api
from tests.support.asgi import ask, plain_app, running, until
from tests.support.sites import ALL, SiteOwner

from outrider.redirects.asgi import RedirectMiddleware
from outrider.redirects.follower import stop_all
from outrider.services.sites.broken_urls import list_broken


@pytest.fixture
async def address(keyed: Api) -> AsyncIterator[str]:
    """The API on a port of loopback."""
    app = keyed.client._transport.app  # type: ignore[attr-defined]
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined, method-assign]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        task = asyncio.create_task(server.serve([listening]))
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        await asyncio.to_thread(stop_all)
        server.should_exit = True
        await task


async def test_it_follows_the_table_and_reports_what_visitors_did(shop: SiteOwner, address: str):
    await shop.create("/old", "/about")
    await shop.saw(lost=2)
    app = RedirectMiddleware(plain_app, site="shop", api_url=address, key=shop.key)
    async with running(app):
        assert (await ask(app, "/Old/?x=1")).location == "/about?x=1"
        await ask(app, "/b")
        await ask(app, "/lost")
        await shop.create("/new", "/about")
        await until(lambda: len(app.service.follower.table) == 2, "the change arrives")
        assert (await ask(app, "/new")).location == "/about"

    assert {each.from_path: each.hit_count for each in await shop.listed()} == {"/old": 1, "/new": 1}
    assert await shop.db.fetchval("SELECT views FROM site_view WHERE path = '/b'") == 1
    assert [each.path for each in (await list_broken(shop.db, shop.name, ALL)).items] == ["/lost"]


async def test_the_key_of_another_site_opens_nothing(shop: SiteOwner, address: str, monkeypatch):
    monkeypatch.setattr("outrider.redirects.asgi.START_PATIENCE_S", 0.2)
    other = await SiteOwner.register(shop.db, "other")
    app = RedirectMiddleware(plain_app, site="shop", api_url=address, key=other.key)
    async with running(app):
        await until(lambda: "403" in (app.figures().error or ""), "the key is refused")
        assert (await ask(app, "/a")).status == 200
