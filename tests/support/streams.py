"""Streams of a real server: start one, and follow its events as a browser does."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import asyncpg
import uvicorn
from starlette.requests import HTTPConnection
from tests.support.api import PRINCIPALS

from outrider.auth.model import Principal
from outrider.settings import load
from outrider.web.api.v1.routers import ROUTERS
from outrider.web.context import ServerContext
from outrider.web.server import build_app
from outrider.web.streams.streams import streams_of

HEADERS = {"x-test-role": "user"}
PATIENCE_S = 60.0


async def identify(connection: HTTPConnection, _: asyncpg.Connection) -> Principal:
    return PRINCIPALS[connection.headers.get("x-test-role", "anonymous")]


def context_on(pool: asyncpg.Pool, **settings: Any) -> ServerContext:
    return ServerContext(load(settings, config=None), pool, identify=identify)


def listening_socket() -> socket.socket:
    opened = socket.create_server(("127.0.0.1", 0), backlog=2048)
    opened.setblocking(False)
    return opened


def server_of(context: ServerContext) -> uvicorn.Server:
    config = uvicorn.Config(build_app(context, ROUTERS), log_level="critical", lifespan="off")
    return uvicorn.Server(config)


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server in the process of the test."""

    address: str
    context: ServerContext


@asynccontextmanager
async def serving(pool: asyncpg.Pool, **settings: Any) -> AsyncIterator[RunningServer]:
    """The API on a port of its own; its streams are closed in the end."""
    async with serving_context(context_on(pool, **settings)) as running:
        yield running


@asynccontextmanager
async def serving_context(context: ServerContext) -> AsyncIterator[RunningServer]:
    """A server of this context, on a port of its own."""
    server, opened = server_of(context), listening_socket()
    task = asyncio.create_task(server.serve(sockets=[opened]))
    try:
        yield RunningServer(f"http://127.0.0.1:{opened.getsockname()[1]}", context)
    finally:
        await streams_of(context).close(1.0)
        server.should_exit = True
        server.force_exit = True
        await task


@dataclass(frozen=True, slots=True)
class Seen:
    """An event as a client got it."""

    event: str
    data: dict[str, Any]
    id: str | None = None


@dataclass(slots=True)
class Follower:
    """A client that remembers what it saw and where it stands."""

    seen: list[Seen] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    last_id: str | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, session: aiohttp.ClientSession, url: str) -> None:
        """Follow until the server ends the stream; continues where it was."""
        headers = HEADERS | ({} if self.last_id is None else {"Last-Event-ID": self.last_id})
        async with session.get(url, headers=headers) as response:
            self.status, self.headers = response.status, response.headers
            fields: dict[str, str] = {}
            async for raw in response.content:
                line = raw.decode().rstrip("\n")
                if line.startswith(":"):
                    self.comments.append(line[1:].strip())
                elif line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                else:
                    self._dispatch(fields)
                    fields = {}
                if not line:
                    self.news.set()

    async def follow_always(self, session: aiohttp.ClientSession, urls: list[str]) -> None:
        """Follow one server after the other, as an EventSource does that reconnects."""
        place = 0
        while True:
            with suppress(aiohttp.ClientError, OSError):
                await self.follow(session, urls[place % len(urls)])
            place += 1
            await asyncio.sleep(0.05)

    async def until(self, is_enough: Callable[["Follower"], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_enough(self):
                self.news.clear()
                await self.news.wait()

    def events(self, *names: str) -> list[Seen]:
        return [each for each in self.seen if not names or each.event in names]

    def subjects(self) -> list[str]:
        return [each.data["subject_id"] for each in self.seen if "subject_id" in each.data]

    def _dispatch(self, fields: dict[str, str]) -> None:
        if "id" in fields:
            self.last_id = fields["id"]
        if "data" in fields:
            self.seen.append(Seen(fields["event"], json.loads(fields["data"]), fields.get("id")))


@asynccontextmanager
async def following(
    url: str,
    last_id: str | None = None,
    follower: Follower | None = None,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[Follower]:
    """A client of a stream, until the block ends."""
    follower, timeout = follower or Follower(last_id=last_id), aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(timeout=timeout, headers=headers) as session:
        task = asyncio.create_task(follower.follow(session, url))
        try:
            yield follower
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def soon(is_so: Callable[[], Awaitable[bool] | bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            found = is_so()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(0.01)
