"""The example shop on a real server: renamed and deleted products, and a scanner."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import uvicorn
from aiohttp import ClientSession
from examples.shop.app import make_app
from tests.support.asgi import AGENT, until
from tests.support.sites import ALL, SiteOwner

from outrider.services.sites.broken_urls import list_broken, resolve_broken


@pytest.fixture
async def address(shop: SiteOwner, database: str) -> AsyncIterator[str]:
    server = uvicorn.Server(uvicorn.Config(make_app(database), host="127.0.0.1", port=0, log_level="warning"))
    serving = asyncio.create_task(server.serve())
    await until(lambda: server.started, "the shop is open")
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    await serving


async def test_visitors_of_a_shop_arrive(shop: SiteOwner, address: str):
    async with ClientSession(address, headers={"User-Agent": AGENT}) as visitor:

        async def cms(**asked: str) -> str:
            async with visitor.post("/cms", data=json.dumps(asked)) as answer:
                assert answer.status == 200
                return (await answer.json())["path"]

        async def where(path: str) -> tuple[int, str, int]:
            async with visitor.get(path) as answer:
                return answer.status, answer.url.path_qs, len(answer.history)

        async def leads(path: str, to: str) -> bool:
            return await where(path) == (200, to, 1)

        first = await cms(add="Red shoe")
        second = await cms(add="Blue shoe")
        assert await where(first) == (200, "/shoes/red-shoe", 0)
        renamed = await cms(rename=first, title="Crimson shoe")
        await until(
            lambda: leads("/Shoes/Red-Shoe/?from=mail", f"{renamed}?from=mail"), "the rename is known"
        )
        await cms(delete=second)
        await until(lambda: leads(second, "/shoes"), "the deletion is known")
        for number in range(100):
            assert (await where(f"/wp-{number}.php"))[0] == 404

        await shop.saw(lost=3)
        assert (await where("/lost"))[0] == 404

        async def is_listed() -> bool:
            return [each.path for each in (await list_broken(shop.db, "shop", ALL)).items] == ["/lost"]

        await until(is_listed, "the lost page is listed, and no path of the scanner")
        [lost] = (await list_broken(shop.db, "shop", ALL)).items
        await resolve_broken(shop.db, "shop", lost.broken_id, renamed, "owner")
        await until(lambda: leads("/lost", renamed), "the lost page leads somewhere")
        assert (await list_broken(shop.db, "shop", ALL)).total == 0
