"""A web of many small hosts whose links are known to work, to be gone, or to look so.

Each host is an address of the loopback network and has one habit. `links_of` names its links with what is
true about them, so a link checker can be judged by the truth. Run as a program it serves the hosts and logs
each request with its times.

    python -m tests.support.link_web HOSTS LOG     prints its port, ends with its standard input
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web
from tests.support.prose import prose

_ROOT = Path(__file__).parents[2]
SLOW_S = 0.4
STUCK_S = 3600.0


class Truth(StrEnum):
    """What is true about a link."""

    ALIVE = "alive"
    MOVED = "moved"  # a permanent redirect leads to a page
    DEAD = "dead"  # the server proves it
    HIDDEN_DEAD = "hidden"  # gone, but the server says otherwise
    UNKNOWABLE = "unknowable"  # no program can know


class Habit(StrEnum):
    """How a host answers."""

    HONEST = "honest"
    SOFT_404 = "soft 404"
    SOFT_REDIRECT = "redirect to front page"
    HEAD_405 = "HEAD refused, 405"
    HEAD_403 = "HEAD refused, 403"
    HEAD_404 = "HEAD answered 404"
    HEAD_LIES = "HEAD always 200"
    FLAPPING = "flapping"
    SLOW = "slow"
    STUCK = "never answers"
    HANGS_UP = "hangs up"
    BOT_403 = "bot wall, 403"
    BOT_404 = "bot wall, 404 with challenge"
    BOT_404_BARE = "bot wall, 404 for pages, 403 for the front page"
    BOT_503 = "bot wall, 503 with challenge"
    BOT_999 = "bot wall, 999"
    CHALLENGE_200 = "bot wall, 200 with challenge"
    RATE_LIMITED = "rate limited, 429"
    LOGIN = "log-in wall"
    PARKED = "parked"
    ROBOTS = "robots.txt forbids"
    LOOP = "redirect loop"
    MOVED = "moved to another host"
    APPLICATION = "one page for every route"
    DOWN = "nothing listens"


HABITS = list(Habit)


@dataclass(frozen=True, slots=True)
class TrueLink:
    """A link, and what is true about it."""

    url: str
    habit: Habit
    truth: Truth


@dataclass(frozen=True, slots=True)
class Served:
    """One request as the server saw it."""

    address: str
    method: str
    path: str
    status: int
    started_ms: float
    ended_ms: float


def address_of(number: int) -> str:
    return f"127.1.{number // 250}.{number % 250 + 1}"


def habit_of(number: int) -> Habit:
    """Two of three hosts are honest or nearly so, as on the web; the others take turns."""
    return Habit.HONEST if number % 3 == 0 else HABITS[(number - number // 3 - 1) % len(HABITS)]


_PATHS = {
    Habit.HONEST: [
        ("/ok/1", Truth.ALIVE),
        ("/gone/1", Truth.DEAD),
        ("/moved/1", Truth.MOVED),
        ("/temporary/1", Truth.ALIVE),
        ("/removed/1", Truth.DEAD),
        ("/moved-to-gone/1", Truth.DEAD),
    ],
    Habit.SOFT_404: [("/ok/1", Truth.ALIVE), ("/gone/1", Truth.HIDDEN_DEAD), ("/ok/2", Truth.ALIVE)],
    Habit.SOFT_REDIRECT: [("/ok/1", Truth.ALIVE), ("/gone/1", Truth.HIDDEN_DEAD), ("/", Truth.ALIVE)],
    Habit.HEAD_405: [("/ok/1", Truth.ALIVE), ("/gone/1", Truth.DEAD), ("/ok/2", Truth.ALIVE)],
    Habit.HEAD_403: [("/ok/1", Truth.ALIVE), ("/gone/1", Truth.DEAD), ("/ok/2", Truth.ALIVE)],
    Habit.HEAD_404: [("/ok/1", Truth.ALIVE), ("/gone/1", Truth.DEAD), ("/ok/2", Truth.ALIVE)],
    Habit.HEAD_LIES: [("/ok/1", Truth.ALIVE), ("/gone/1", Truth.DEAD), ("/ok/2", Truth.ALIVE)],
    Habit.MOVED: [("/ok/1", Truth.MOVED), ("/gone/1", Truth.DEAD)],
}
_OTHERS = {
    Habit.FLAPPING: Truth.ALIVE,
    Habit.SLOW: Truth.ALIVE,
    Habit.LOGIN: Truth.ALIVE,
    Habit.PARKED: Truth.HIDDEN_DEAD,
    Habit.DOWN: Truth.UNKNOWABLE,
    Habit.HANGS_UP: Truth.UNKNOWABLE,
    Habit.STUCK: Truth.UNKNOWABLE,
    Habit.LOOP: Truth.UNKNOWABLE,
}


def links_of(number: int, port: int, count: int) -> Iterator[TrueLink]:
    """The first links of a host. Behind a wall every page is there."""
    habit = habit_of(number)
    paths = _PATHS.get(habit) or [
        (f"/ok/{nth}", _OTHERS.get(habit, Truth.ALIVE)) for nth in range(1, count + 1)
    ]
    for nth in range(count):
        path, truth = paths[nth % len(paths)]
        if nth >= len(paths):
            path = f"{path.rstrip('1')}{nth}" if path != "/" else "/?again"
        yield TrueLink(f"http://{address_of(number)}:{port}{path}", habit, truth)


def page(title: str, words: int = 150) -> web.Response:
    text = f"<!doctype html><title>{title}</title><h1>{title}</h1><p id=first>{prose(title, words)}</p>"
    return web.Response(text=text, content_type="text/html")


class _Hosts:
    def __init__(self, count: int, log: Path) -> None:
        self._numbers = {address_of(number): number for number in range(count)}
        self._log = log.open("a", buffering=1)
        self._times: dict[tuple[str, str], int] = defaultdict(int)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        started = time.time() * 1000
        assert request.transport is not None
        address: str = request.transport.get_extra_info("sockname")[0]
        status, ended = 0, started
        try:
            response = await self._answer(request, address)
            status = response.status
            if request.method == "HEAD" and isinstance(response, web.Response):
                response.headers["Content-Length"] = str(len(response.body or b""))  # type: ignore[arg-type]
                response.body = None
            ended = time.time() * 1000
            return response
        finally:
            served = Served(address, request.method, request.path_qs, status, started, ended)
            self._log.write(json.dumps(asdict(served)) + "\n")

    async def _answer(self, request: web.BaseRequest, address: str) -> web.StreamResponse:
        habit = habit_of(self._numbers[address])
        path, is_head = request.path, request.method == "HEAD"
        self._times[address, path] += 1
        if path == "/robots.txt":
            return _robots(habit)
        match habit:
            case Habit.HEAD_405 if is_head:
                return web.Response(status=405)
            case Habit.HEAD_403 if is_head:
                return web.Response(status=403)
            case Habit.HEAD_404 if is_head:
                return web.Response(status=404)
            case Habit.HEAD_LIES if is_head:
                return web.Response(content_type="text/html")
            case Habit.SOFT_404 if not _exists(path):
                return page("Sorry, this page is not here any more", 60)
            case Habit.SOFT_REDIRECT if not _exists(path):
                raise web.HTTPFound("/")
            case Habit.FLAPPING if self._times[address, path] % 2:
                return web.Response(status=503, text="try again")
            case Habit.SLOW:
                await asyncio.sleep(SLOW_S)
            case Habit.STUCK:
                await asyncio.sleep(STUCK_S)
            case Habit.HANGS_UP:
                assert request.transport is not None
                request.transport.abort()
            case Habit.LOGIN if path != "/login":
                raise web.HTTPFound(f"/login?next={path}")
            case Habit.LOOP:
                raise web.HTTPFound(f"/loop/{1 - int(path == '/loop/1')}")
            case Habit.MOVED:
                number = self._numbers[address] // 3 * 3
                port = request.transport.get_extra_info("sockname")[1] if request.transport else 0
                raise web.HTTPMovedPermanently(f"http://{address_of(number)}:{port}{path}")
            case Habit.APPLICATION:
                return web.Response(
                    text="<title>App</title><div id=app></div><script src=/a.js></script>",
                    content_type="text/html",
                )
            case Habit.PARKED:
                return web.Response(
                    text="<title>Domain</title><p>This domain is for sale. Buy this domain now.",
                    content_type="text/html",
                )
            case _ if (wall := _wall(habit, path)) is not None:
                return wall
        return _honest(path)


def _robots(habit: Habit) -> web.Response:
    if habit is Habit.ROBOTS:
        return web.Response(text="User-agent: *\nDisallow: /\n")
    return web.Response(status=404)


_CHALLENGE = "<title>Just a moment...</title><p>Checking your browser before you go on.</p>"


def _wall(habit: Habit, path: str) -> web.Response | None:
    match habit:
        case Habit.BOT_403:
            return web.Response(status=403, text="<h1>Forbidden</h1>", content_type="text/html")
        case Habit.BOT_404:
            return web.Response(status=404, text=_CHALLENGE, content_type="text/html")
        case Habit.BOT_404_BARE:
            return web.Response(
                status=403 if path == "/" else 404, text="Not found", content_type="text/html"
            )
        case Habit.BOT_503:
            return web.Response(status=503, text=_CHALLENGE, content_type="text/html")
        case Habit.BOT_999:
            return web.Response(status=999, text="Request denied", content_type="text/html")
        case Habit.CHALLENGE_200:
            return web.Response(text=_CHALLENGE, content_type="text/html")
        case Habit.RATE_LIMITED:
            return web.Response(status=429, headers={"Retry-After": "3600"})
        case _:
            return None


def _exists(path: str) -> bool:
    return path == "/" or path.startswith("/ok/")


def _honest(path: str) -> web.Response:
    if path.startswith("/moved/"):
        raise web.HTTPMovedPermanently(path.replace("/moved/", "/ok/"))
    if path.startswith("/temporary/"):
        raise web.HTTPFound(path.replace("/temporary/", "/ok/"))
    if path.startswith("/moved-to-gone/"):
        raise web.HTTPMovedPermanently(path.replace("/moved-to-gone/", "/gone/"))
    if path.startswith("/removed/"):
        return web.Response(status=410, text="removed")
    if _exists(path) or path == "/login":
        return page(f"Page {path}")
    return web.Response(
        status=404, text="<title>Not found</title><p>There is no such page.</p>", content_type="text/html"
    )


async def _serve(count: int, log: Path) -> None:
    hosts = _Hosts(count, log)
    runner = web.ServerRunner(web.Server(hosts.handle), handle_signals=False, shutdown_timeout=0.1)
    await runner.setup()
    port = 0
    for number in range(count):
        if habit_of(number) is not Habit.DOWN:
            await web.TCPSite(runner, address_of(number), port).start()
            port = runner.addresses[0][1]
    print(port, flush=True)
    await asyncio.to_thread(os.read, sys.stdin.fileno(), 1)


class LinkWeb:
    """The hosts in a process of their own."""

    def __init__(self, hosts: int, links_per_host: int, folder: Path) -> None:
        self.hosts = hosts
        self._links = links_per_host
        self._log = folder / "served.jsonl"
        self._log.touch()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.link_web", str(hosts), str(self._log)],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    @property
    def links(self) -> list[TrueLink]:
        return [link for number in range(self.hosts) for link in links_of(number, self.port, self._links)]

    def log(self) -> list[Served]:
        """The requests that have ended."""
        return [Served(**json.loads(line)) for line in self._log.read_text().splitlines()]

    def stop(self) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(_serve(int(sys.argv[1]), Path(sys.argv[2])))
