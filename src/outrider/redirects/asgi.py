"""Redirects for any ASGI application: Starlette, FastAPI, Django, Litestar and others.

    from outrider.redirects.asgi import RedirectMiddleware

    app = RedirectMiddleware(app, site="shop", database_url="postgresql://…")

Ordinary pages cost one look into a dictionary. Nothing is asked while a request waits.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from outrider.redirects.middleware import NOT_FOUND, OK, MiddlewareFigures, RedirectService
from outrider.redirects.serving import RedirectAnswer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

START_PATIENCE_S = 2.0  # for the first table; then the site serves without redirects


class RedirectMiddleware:
    """Answers requests for moved pages, and passes all others on."""

    def __init__(
        self,
        app: Application,
        site: str,
        database_url: str | None = None,
        api_url: str | None = None,
        key: str | None = None,
        bot_words: tuple[str, ...] = (),
    ) -> None:
        self.app = app
        self.service = RedirectService(site, database_url, api_url, key, bot_words)
        self._follower = self.service.follower

    def figures(self) -> MiddlewareFigures:
        """What the middleware did since its start."""
        return self.service.figures()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await (self._lifespan if scope["type"] == "lifespan" else self.app)(scope, receive, send)
            return
        if not self._follower.is_started:
            self._follower.start()
        method = scope["method"]
        if method != "GET" and method != "HEAD":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        found = self.service.answer(path, scope["query_string"].decode("latin-1"), scope.get("raw_path"))
        if found is not None:
            await _redirect(found, send)
        elif method == "HEAD":
            await self.app(scope, receive, send)
        else:
            await self.app(scope, receive, self._watching(scope, path, send))

    def _watching(self, scope: Scope, path: str, send: Send) -> Send:
        """Pass every message on, and note how the answer begins."""

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                if status == OK:
                    kind = _header(message.get("headers", ()), b"content-type")
                    self.service.viewed(path, kind, _header(scope["headers"], b"user-agent"))
                elif status == NOT_FOUND:
                    self.service.missed(path, _header(scope["headers"], b"referer"))
                elif 300 < status < 400:
                    self.service.redirected(path, _header(message.get("headers", ()), b"location"))
            await send(message)

        return watch

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Load the table before the first request, and report what is left at the end."""
        self._follower.start()
        await asyncio.to_thread(self._follower.wait_loaded, START_PATIENCE_S)

        async def watch(message: Message) -> None:
            if message["type"] in ("lifespan.shutdown.complete", "lifespan.shutdown.failed"):
                await asyncio.to_thread(self._follower.stop)
            await send(message)

        await self.app(scope, receive, watch)


def _header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes:
    for name, value in headers:
        if name == wanted or (len(name) == len(wanted) and name.lower() == wanted):
            return value
    return b""


async def _redirect(found: RedirectAnswer, send: Send) -> None:
    headers = [(b"content-length", b"0")]
    if found.location is not None:
        headers.append((b"location", found.location.encode("ascii")))
    await send({"type": "http.response.start", "status": found.status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
