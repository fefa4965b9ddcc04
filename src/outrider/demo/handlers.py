"""The request handlers of the demo site: constants, redirects, and a few dynamic pages."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable

from aiohttp import web

from outrider.demo import oddities, pages, traps
from outrider.demo.stories import stories

SLOW_SECONDS = 2.0
HTML = "text/html; charset=utf-8"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def constant(body: bytes, content_type: str = HTML) -> Handler:
    """A handler for constant content: compressed on request, 304 for a matching ETag."""
    tag = hashlib.sha256(body).hexdigest()[:16]

    async def serve(request: web.Request) -> web.Response:
        if any(tag == known.value for known in request.if_none_match or ()):
            response = web.Response(status=304)
        else:
            response = web.Response(body=body, headers={"Content-Type": content_type})
            response.enable_compression()
        response.etag = tag
        response.last_modified = stories()[0].published
        return response

    return serve


def redirect(status: int, target: str) -> Handler:
    async def serve(request: web.Request) -> web.Response:
        return web.Response(status=status, headers={"Location": target})

    return serve


def cut_off_once() -> Handler:
    """A handler that closes the connection within the first answer and answers normally afterwards."""
    markup = oddities.plain("Live from the slipway", "The band has stopped, the goats are ashore.")
    asked = 0

    async def serve(request: web.Request) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        if asked > 1:
            return _html(markup)
        response = web.StreamResponse(headers={"Content-Type": HTML})
        response.content_length = len(markup.encode())
        await response.prepare(request)
        await response.write(markup[:100].encode())
        if request.transport is not None:
            request.transport.close()
        return response

    return serve


async def gone(request: web.Request) -> web.Response:
    return web.Response(status=410, text="The summer fair of 2019 is over.\n")


async def teapot(request: web.Request) -> web.Response:
    return web.Response(status=418, text="Short and stout.\n")


async def archive(request: web.Request) -> web.Response:
    number = request.query.get("page", "1")
    if number not in {str(known) for known in range(1, pages.archive_pages() + 1)}:
        raise web.HTTPNotFound
    return _html(pages.archive(int(number)))


async def calendar(request: web.Request) -> web.Response:
    month = traps.month_in(request.query.get("month", ""))
    if month is None:
        raise web.HTTPNotFound
    return _html(traps.calendar(month))


async def market(request: web.Request) -> web.Response:
    return _html(traps.market(dict(request.query)))


async def maps(request: web.Request) -> web.Response:
    return _html(traps.maps())


async def slow(request: web.Request) -> web.Response:
    await asyncio.sleep(SLOW_SECONDS)
    return _html(oddities.plain("Slow news", "Worth the wait: the tide turned at noon, as announced."))


async def everything(request: web.Request) -> web.StreamResponse:
    """A page that is larger than the limit of the crawler."""
    response = web.StreamResponse(headers={"Content-Type": HTML})
    response.content_length = left = oddities.HUGE_BYTES
    await response.prepare(request)
    try:
        while left:
            chunk = oddities.HUGE_CHUNK[:left]
            await response.write(chunk)
            left -= len(chunk)
        await response.write_eof()
    except ConnectionError:
        pass  # the crawler closes the connection at its limit
    return response


def _html(markup: str) -> web.Response:
    response = web.Response(text=markup, content_type="text/html")
    response.enable_compression()
    return response
