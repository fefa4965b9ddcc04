"""A WebSub hub on loopback, and feeds that name it."""

import hmac
import socket
from collections.abc import Awaitable, Callable
from datetime import timedelta

import aiohttp
from aiohttp import web
from tests.support.newsroom import Engine, Newsroom, feed
from tests.support.publications import rss

Subscribe = Callable[[], Awaitable[object]]

A_MOMENT = timedelta(seconds=2)  # for hosts to rest between two requests


async def serve(app: web.Application) -> tuple[web.AppRunner, str]:
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, f"http://127.0.0.1:{runner.addresses[0][1]}"


def free_port() -> int:
    """Where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


class Hub:
    """Takes subscriptions, verifies them as WebSub says, and pushes."""

    def __init__(self) -> None:
        self.address = ""
        self.asked: list[tuple[str, str]] = []
        self.forms: list[dict[str, str]] = []
        self.verified: list[bool] = []
        self.status = 202
        self.headers: dict[str, str] = {}
        self.moved: dict[str, tuple[int, str]] = {}  # path → status and where to
        self.lease_s = 864_000

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append((request.method, request.path))
        form = {name: str(value) for name, value in (await request.post()).items()}
        if request.path in self.moved:
            status, to = self.moved[request.path]
            return web.Response(status=status, headers={"Location": to})
        self.forms.append(form)
        return web.Response(status=self.status, headers=self.headers)

    async def verify(self, form: dict[str, str] | None = None, **changes: str) -> int:
        """Ask back, as for the last request unless another is named."""
        form = form or self.forms[-1]
        query = {
            "hub.mode": "subscribe",
            "hub.topic": form["hub.topic"],
            "hub.challenge": "c-1234",
            "hub.lease_seconds": str(self.lease_s),
        } | {f"hub.{name}": value for name, value in changes.items()}
        async with (
            aiohttp.ClientSession() as session,
            session.get(form["hub.callback"], params=query) as answer,
        ):
            self.verified.append(await answer.text() == "c-1234")
            return answer.status

    async def push(self, body: bytes, secret: str | None = None, kind: str = "application/rss+xml") -> int:
        form = self.forms[-1]
        proof = hmac.new((secret or form["hub.secret"]).encode(), body, "sha256").hexdigest()
        headers = {"X-Hub-Signature": f"sha256={proof}", "Content-Type": kind}
        async with (
            aiohttp.ClientSession() as session,
            session.post(form["hub.callback"], data=body, headers=headers) as answer,
        ):
            return answer.status


def naming(hub: str) -> str:
    """What a feed says about its hub."""
    return f'<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="{hub}"/>'


async def watch(engine: Engine, room: Newsroom, hub: str, path: str = "/feed", site: int = 0) -> str:
    """Watch a feed that names the hub, and poll it once; returns the feed's address."""
    url = room.publish(path, rss([("/a", None)], extra=naming(hub)), site)
    await engine.watch(f"news{path}{site}", room.origin(site), feed(url))
    await engine.round()
    return url


async def hours_until_asked(engine: Engine, url: str) -> float:
    [row] = await engine.rows(
        "SELECT extract(epoch FROM ask_at - now())::float8 AS seconds FROM subscription WHERE topic = $1", url
    )
    seconds: float = row["seconds"]
    return seconds / 3600


async def subscriptions(engine: Engine) -> list[tuple[bool, bool]]:
    """Of each whether the hub pushes, and whether it was asked to stop."""
    rows = await engine.rows(
        "SELECT coalesce(pushed_until > now(), false) AS pushed, leaving FROM subscription ORDER BY 1, 2"
    )
    return [(row["pushed"], row["leaving"]) for row in rows]
