"""Calls an ASGI or WSGI application without a server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def location(self) -> str | None:
        return self.headers.get("location")


async def ask(app: Any, url: str, method: str = "GET", agent: str = AGENT, referrer: str = "") -> Answer:
    """The answer of an application to one request."""
    path, _, query = url.partition("?")
    headers = [(b"host", b"shop.test"), (b"user-agent", agent.encode())]
    headers += [(b"referer", referrer.encode())] if referrer else []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 4242),
        "server": ("shop.test", 80),
        "state": {},
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return Answer(
        sent[0]["status"],
        {name.decode().lower(): value.decode("latin-1") for name, value in sent[0].get("headers", [])},
        b"".join(message.get("body", b"") for message in sent[1:]),
    )


@asynccontextmanager
async def running(app: Any) -> AsyncIterator[Any]:
    """The application between the start and the end of its life."""
    inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}, "state": {}}
    life = asyncio.create_task(app(scope, inbox.get, outbox.put))
    inbox.put_nowait({"type": "lifespan.startup"})
    started = await outbox.get()
    assert started["type"] == "lifespan.startup.complete", started
    try:
        yield app
    finally:
        inbox.put_nowait({"type": "lifespan.shutdown"})
        assert (await outbox.get())["type"] == "lifespan.shutdown.complete"
        await life


async def until(is_true: Callable[[], bool | Awaitable[bool]], what: str, seconds: float = 30.0) -> None:
    """Wait for something to become true."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                found = is_true()
                if (await found) if isinstance(found, Awaitable) else found:
                    return
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"in {seconds:g} seconds not once: {what}") from None


async def plain_app(scope: Any, receive: Any, send: Any) -> None:
    """Pages with the letters a to m, a page that appends its slash, one that fails, and 404 for others."""
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    path = scope["path"]
    status, headers = 404, [(b"content-type", b"text/html; charset=utf-8")]
    if path == "/" or (len(path) == 2 and "a" <= path[1] <= "m"):
        status = 200
    elif path == "/slashed":
        status, headers = 307, [(b"location", b"http://shop.test/slashed/")]
    elif path == "/slashed/":
        status = 200
    elif path == "/failing":
        status = 500
    elif path == "/data.json":
        status, headers = 200, [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": path.encode()})
