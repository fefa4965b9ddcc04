"""A webhook on loopback: the system of an owner, which checks signatures and answers as it is told."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from outrider.webhooks.signature import DELIVERY, SIGNATURE, TIMESTAMP, is_signed


@dataclass
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def delivery(self) -> str:
        return self.headers[DELIVERY]

    def is_signed(self, secret: str, body: bytes | None = None) -> bool:
        given = self.body if body is None else body
        return is_signed(secret, self.headers[TIMESTAMP], self.headers[SIGNATURE], given, now=time.time())


@dataclass
class Receiver:
    """What came in, and the answers to give: the last one is repeated."""

    url: str = ""
    answers: list[web.Response] = field(default_factory=list)
    got: list[Received] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    hold: asyncio.Event | None = None

    async def answer(self, request: web.Request) -> web.Response:
        self.got.append(Received(request.path, dict(request.headers), await request.read()))
        self.arrived.set()
        if self.hold is not None:
            await self.hold.wait()
        made = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return web.Response(status=made.status, headers=made.headers, body=made.body)


@asynccontextmanager
async def receiving(*statuses: int) -> AsyncIterator[Receiver]:
    """A webhook that answers these statuses in turn."""
    receiver = Receiver(answers=[web.Response(status=status) for status in statuses or (204,)])
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receiver.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    receiver.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        yield receiver
    finally:
        await runner.cleanup()
