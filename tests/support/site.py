"""A programmable website in a process of its own: slow, broken, redirecting or dripping, as its plan says.

It keeps serving while crawlers are killed around it, and its log is written line by line as answers end.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from aiohttp import web
from tests.support.prose import prose

_ROOT = Path(__file__).parents[2]
_WORDS_PER_PAGE = 120


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request gets."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0  # seconds before the first byte
    drip: float = 0.0  # seconds after each byte of the body
    hang_up: bool = False  # close the connection instead of answering


def redirect(to: str, status: int = 301) -> Answer:
    return Answer(status=status, headers={"Location": to})


def html(body: str) -> Answer:
    return Answer(
        body=f"<!doctype html><body>{body}</body>", headers={"Content-Type": "text/html; charset=utf-8"}
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """A graph of pages that can all be reached from /, on each host, and the paths that behave otherwise.

    A path with several answers gives them in turn, per host, and repeats the last one.
    """

    pages: int = 20
    hosts: int = 1
    first_octet: int = 2  # of their addresses' last
    latency: float = 0.0
    robots: Answer = field(default_factory=lambda: Answer(status=404))
    answers: Mapping[str, Sequence[Answer]] = field(default_factory=dict)

    @property
    def addresses(self) -> list[str]:
        return [f"127.0.0.{octet}" for octet in range(self.first_octet, self.first_octet + self.hosts)]

    @classmethod
    def from_json(cls, text: str) -> Self:
        raw = json.loads(text)
        raw["robots"] = Answer(**raw["robots"])
        raw["answers"] = {
            path: [Answer(**one) for one in answers] for path, answers in raw["answers"].items()
        }
        return cls(**raw)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the server saw it; wall-clock times in Unix milliseconds, monotonic ones in seconds."""

    address: str
    host: str  # the Host header
    path: str  # with the query
    status: int
    headers: Mapping[str, str]
    started_ms: float
    ended_ms: float
    started_monotonic: float
    ended_monotonic: float
    complete: bool  # the last byte was handed over while the client was still there


class Site:
    """A running site. `with Site.start(folder, Plan(pages=50)) as site:` stops it whatever happens."""

    def __init__(self, plan: Plan, port: int, log: Path, process: subprocess.Popen[str]) -> None:
        self.plan = plan
        self.port = port
        self.origins = [f"http://{address}:{port}" for address in plan.addresses]
        self._log = log
        self._process = process

    @classmethod
    def start(cls, folder: Path, plan: Plan) -> Self:
        folder.mkdir(parents=True, exist_ok=True)
        plan_file, log = folder / "plan.json", folder / "asked.jsonl"
        plan_file.write_text(json.dumps(asdict(plan)))
        log.touch()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.site", str(plan_file), str(log)],
            cwd=_ROOT,
            stdin=subprocess.PIPE,  # its end is the child's sign that we are gone, however we went
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        return cls(plan, int(process.stdout.readline()), log, process)

    @property
    def url(self) -> str:
        return f"{self.origins[0]}/"

    @property
    def urls(self) -> list[str]:
        """Every page of the graph, on every host."""
        return [origin + page_path(index) for origin in self.origins for index in range(self.plan.pages)]

    def log(self) -> list[Asked]:
        """Every request that has ended, in the order in which they did."""
        lines = self._log.read_text().splitlines(keepends=True)
        return [Asked(**json.loads(line)) for line in lines if line.endswith("\n")]

    def wait_for(self, requests: int, timeout: float = 30.0) -> list[Asked]:
        """The log as soon as that many requests have ended; a timeout is an error."""
        until = time.monotonic() + timeout
        while len(log := self.log()) < requests:
            if time.monotonic() > until:
                raise TimeoutError(f"{len(log)} of {requests} requests after {timeout} s")
            time.sleep(0.01)
        return log

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def page_path(index: int) -> str:
    return f"/page/{index}" if index else "/"


def page_links(index: int, pages: int) -> list[str]:
    """A binary tree, so that all are reachable, with a few cross links and the way home."""
    targets = [index * 2 + 1, index * 2 + 2, (index * 7 + 3) % pages, (index * 5 + 1) % pages, 0]
    return [page_path(target) for target in dict.fromkeys(targets) if target < pages]


def _graph(plan: Plan, address: str, port: int) -> dict[str, Answer]:
    hosts = plan.addresses
    neighbour = f"http://{hosts[(hosts.index(address) + 1) % len(hosts)]}:{port}/"
    return {page_path(index): _page(index, plan.pages, address, neighbour) for index in range(plan.pages)}


def _page(index: int, pages: int, address: str, neighbour: str) -> Answer:
    links = [*page_links(index, pages), neighbour]
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    title = f"Page {index} of {address}"
    text = prose(title, _WORDS_PER_PAGE)
    return html(f"<title>{title}</title><main><h1>{title}</h1><p>{text}</p></main><ul>{anchors}</ul>")


class _Server:
    def __init__(self, plan: Plan, log: Path) -> None:
        self._plan = plan
        self._log = log.open("a", buffering=1)
        self._turns: dict[tuple[str, str], int] = defaultdict(int)
        self._graphs: dict[str, dict[str, Answer]] = {}

    def open_graphs(self, port: int) -> None:
        self._graphs = {address: _graph(self._plan, address, port) for address in self._plan.addresses}

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        started = _now()
        assert request.transport is not None
        address: str = request.transport.get_extra_info("sockname")[0]
        answer = self._answer(address, request.path_qs)
        response = web.StreamResponse(status=answer.status, headers=answer.headers)
        try:
            ended, complete = await _send(request, response, answer, self._plan.latency), not answer.hang_up
        except ConnectionError:
            ended, complete = _now(), False
        asked = Asked(
            address=address,
            host=request.headers.get("Host", ""),
            path=request.path_qs,
            status=answer.status,
            headers=dict(request.headers),
            started_ms=started.wall_ms,
            ended_ms=ended.wall_ms,
            started_monotonic=started.monotonic,
            ended_monotonic=ended.monotonic,
            complete=complete,
        )
        self._log.write(json.dumps(asdict(asked)) + "\n")
        return response

    def _answer(self, address: str, path: str) -> Answer:
        if path == "/robots.txt" and path not in self._plan.answers:
            return self._plan.robots
        if answers := self._plan.answers.get(path):
            turn = self._turns[address, path]
            self._turns[address, path] += 1
            return answers[min(turn, len(answers) - 1)]
        return self._graphs[address].get(path, Answer(status=404, body="no such page\n"))


class _Moment(NamedTuple):
    wall_ms: float
    monotonic: float


def _now() -> _Moment:
    return _Moment(time.time() * 1000, time.monotonic())


async def _send(
    request: web.BaseRequest, response: web.StreamResponse, answer: Answer, latency: float
) -> _Moment:
    """Answer, and say when: just before the last bytes left, so never later than the client had them."""
    await asyncio.sleep(latency + answer.delay)
    if answer.hang_up:
        assert request.transport is not None
        ended = _now()
        request.transport.abort()
        return ended
    body = answer.body.encode()
    response.content_length = len(body)
    await response.prepare(request)
    if answer.drip:
        for position in range(len(body) - 1):
            await response.write(body[position : position + 1])
            await asyncio.sleep(answer.drip)
        body = body[-1:]
    ended = _now()
    await response.write_eof(body)
    return ended


async def _serve(plan: Plan, log: Path) -> None:
    server = _Server(plan, log)
    runner = web.ServerRunner(web.Server(server.handle))
    await runner.setup()
    port = 0
    for address in plan.addresses:
        await web.TCPSite(runner, address, port).start()
        port = runner.addresses[0][1]
    server.open_graphs(port)
    print(port, flush=True)
    # Standard input ends when whoever started us is gone.
    await asyncio.to_thread(sys.stdin.read)
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(_serve(Plan.from_json(Path(sys.argv[1]).read_text()), Path(sys.argv[2])))
