"""Serves the newsroom and the demo site on loopback: an HTTP proxy that knows these sites and no others.

The names of the newsroom resolve nowhere, so the crawler reaches them through this proxy.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import aiohttp
from aiohttp import web

from outrider.demo.server import HOST, DemoSite
from outrider.simulate.server import answer
from outrider.simulate.site_failures import failure_of, latency_s
from outrider.simulate.sites import Site

_PASSED_ON = ("content-type", "content-encoding", "location", "etag", "last-modified", "retry-after")
_MOST_BYTES = 12 << 20


def listen_for_proxy() -> tuple[socket.socket, str]:
    """A socket for the proxy, and the proxy's address. It is known before the proxy runs."""
    listener = socket.create_server((HOST, 0))
    return listener, f"http://{HOST}:{listener.getsockname()[1]}"


@asynccontextmanager
async def newsroom_proxy(
    sites: Sequence[Site], courier: DemoSite, listener: socket.socket
) -> AsyncIterator[None]:
    """Run the proxy on this socket for as long as the block lasts."""
    known = {site.host: site for site in sites}
    neighbours = {url.split("/")[2] for url in (courier.url, courier.other_url)}
    async with aiohttp.ClientSession(auto_decompress=False) as client:

        async def serve(request: web.BaseRequest) -> web.StreamResponse:
            host = request.headers.get("Host", "")
            site = known.get(host)
            if site is not None:
                return await _of_newsroom(site, request)
            if host in neighbours:
                return await _of_courier(client, host, request)
            return web.Response(status=502, text="This proxy knows the sites of the demo only.\n")

        runner = web.ServerRunner(web.Server(serve, access_log=None))
        await runner.setup()
        await web.SockSite(runner, listener).start()
        try:
            yield
        finally:
            await runner.cleanup()


async def _of_newsroom(site: Site, request: web.BaseRequest) -> web.StreamResponse:
    now_s = (datetime.now(UTC) - site.start).total_seconds()
    path = request.rel_url.path
    await asyncio.sleep(latency_s(site, path, now_s))
    if failure := failure_of(site, path, now_s):
        if failure.failure is not None:
            return _cut_off(request)
        headers = {"Retry-After": str(failure.retry_after_s)} if failure.retry_after_s else {}
        return web.Response(status=failure.status, headers=headers)
    found = answer(site, path, now_s)
    headers = {"Content-Type": found.content_type}
    if found.location is not None:
        headers["Location"] = found.location
    return web.Response(status=found.status, headers=headers, body=found.body.encode())


async def _of_courier(
    client: aiohttp.ClientSession, host: str, request: web.BaseRequest
) -> web.StreamResponse:
    asked = {name: value for name, value in request.headers.items() if name.lower() == "if-none-match"}
    address = f"http://{host}{request.rel_url.raw_path_qs}"
    try:
        async with client.get(address, headers=asked, allow_redirects=False) as found:
            body = (
                await found.content.read(_MOST_BYTES) if found.content_length is None else await found.read()
            )
            headers = {name: value for name, value in found.headers.items() if name.lower() in _PASSED_ON}
            return web.Response(status=found.status, headers=headers, body=body)
    except aiohttp.ClientError:
        return _cut_off(request)


def _cut_off(request: web.BaseRequest) -> web.Response:
    if request.transport is not None:
        request.transport.close()
    return web.Response(status=502)
