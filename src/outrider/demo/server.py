"""Serve the demo site on loopback and record its requests."""

import socket
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import web
from aiohttp.typedefs import Middleware

from outrider.demo.handlers import Handler
from outrider.demo.hosts import newspaper, print_shop

HOST = "127.0.0.1"
OTHER_HOST = "127.0.0.2"
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class DemoRequest:
    """One request as the demo site saw it; `at` is when its answer was ready."""

    at: datetime
    host: str
    path: str
    status: int


@dataclass(frozen=True, slots=True)
class DemoSite:
    """A running demo site. `requests` holds the latest ten thousand."""

    url: str
    other_url: str
    port: int
    requests: deque[DemoRequest]


@asynccontextmanager
async def demo_site(port: int = 0, *, or_free: bool = False) -> AsyncIterator[DemoSite]:
    """Run the site in this event loop for as long as the block lasts; port 0 takes a free one.

    With `or_free` it also takes a free port if the given one is taken.
    """
    requests: deque[DemoRequest] = deque(maxlen=_REMEMBERED)
    try:
        first, second = _listen(port)
    except OSError:
        if not or_free:
            raise
        first, second = _listen(0)
    origin, other = _origin(first), _origin(second)
    apps = [web.Application(middlewares=[_remember(requests)]) for _ in range(2)]
    newspaper(apps[0], origin, other)
    print_shop(apps[1], origin)
    runners = [web.AppRunner(app, access_log=None) for app in apps]
    try:
        for runner, listener in zip(runners, (first, second), strict=True):
            await runner.setup()
            await web.SockSite(runner, listener).start()
        yield DemoSite(f"{origin}/", f"{other}/", first.getsockname()[1], requests)
    finally:
        for runner in runners:
            await runner.cleanup()


def _listen(port: int) -> tuple[socket.socket, socket.socket]:
    """A listener for each of the two hosts, on the same port where the machine lets us."""
    first = socket.create_server((HOST, port))
    try:
        second = socket.create_server((OTHER_HOST, first.getsockname()[1]))
    except OSError:
        # Only Linux answers on all of 127.0.0.0/8; elsewhere a second port replaces the second host.
        second = socket.create_server((HOST, 0))
    return first, second


def _origin(listener: socket.socket) -> str:
    host, port = listener.getsockname()
    return f"http://{host}:{port}"


def _remember(requests: deque[DemoRequest]) -> Middleware:
    @web.middleware
    async def remember(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            response = await handler(request)
        except web.HTTPException as error:
            requests.append(DemoRequest(datetime.now(UTC), request.host, request.path_qs, error.status))
            raise
        requests.append(DemoRequest(datetime.now(UTC), request.host, request.path_qs, response.status))
        return response

    return remember
