import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from tests.support.crawl import Crawl
from tests.support.database import this_run

ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
PAGES = 12
POISON = "/page/5"


class Poisoner:
    """Three small hosts, one page of which is deadly: whoever asks for it is killed before the answer."""

    def __init__(self) -> None:
        self.crawl: Crawl | None = None
        self.victims: list[int] = []

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        assert request.transport is not None
        address = request.transport.get_extra_info("sockname")[0]
        if (address, request.path) == (ADDRESSES[0], POISON):
            await asyncio.to_thread(self._kill, request.transport.get_extra_info("peername")[1])
        if request.path == "/robots.txt":
            return web.Response(status=404)
        links = "".join(f'<a href="/page/{page}">{page}</a>' for page in range(PAGES))
        return web.Response(text=f"<title>{address}{request.path}</title>{links}", content_type="text/html")

    def _kill(self, port: int) -> None:
        assert self.crawl is not None
        for worker in self.crawl.workers():
            if any(connection.laddr.port == port for connection in worker.net_connections("tcp4")):
                self.victims.append(worker.pid)
                worker.kill()
                worker.wait(10)


@asynccontextmanager
async def _serving(poisoner: Poisoner) -> AsyncIterator[list[str]]:
    runner = web.ServerRunner(web.Server(poisoner.handle))
    await runner.setup()
    port = 0
    for address in ADDRESSES:
        await web.TCPSite(runner, address, port).start()
        port = runner.addresses[0][1]
    try:
        yield [f"http://{address}:{port}/page/0" for address in ADDRESSES]
    finally:
        await runner.cleanup()


@pytest.mark.timeout(240)
async def test_a_url_that_takes_its_worker_down_each_time_is_parked_and_all_others_are_stored() -> None:
    poisoner = Poisoner()
    async with _serving(poisoner) as seeds:
        with Crawl(this_run() / "poison", seeds, "--workers", "2", "--delay", "0.02") as crawl:
            poisoner.crawl = crawl
            exit_code = await asyncio.to_thread(crawl.wait, 180)
            async with crawl.database() as db:
                dead = await db.fetch("SELECT url, reason FROM url WHERE reason IS NOT NULL AND kind = 0")
                stored = await db.fetchval("SELECT count(*) FROM document")

    seen = f"{len(poisoner.victims)} workers died\n{crawl.output()[-2000:]}"
    assert exit_code == 0, seen
    assert [(urlsplit(row["url"]).path, row["reason"]) for row in dead] == [(POISON, "poison")], seen
    assert stored == len(ADDRESSES) * PAGES - 1, seen
    assert 5 <= len(poisoner.victims) <= 10, seen
