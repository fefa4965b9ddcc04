"""The process behind `Site`: opens a site for every plan that it reads, each in a process forked off it."""

import asyncio
import json
import os
import signal
import sys
import time
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from aiohttp import web
from tests.support.prose import prose
from tests.support.site import Answer, Asked, Plan, html, page_path

_WORDS_PER_PAGE = 120
_LOOK_EVERY_S = 0.05


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
    ended = _now()
    await response.prepare(request)
    if not body or request.method == "HEAD":  # with the head it is complete
        await response.write_eof()
        return ended
    if answer.drip:
        for position in range(len(body) - 1):
            await response.write(body[position : position + 1])
            await _rest(request, answer.drip)
        body = body[-1:]
    ended = _now()
    await response.write_eof(body)
    return ended


async def _rest(request: web.BaseRequest, seconds: float) -> None:
    """Until the time is over or the client is gone: its request ends then, not when we next write."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        if request.transport is None:
            return
        await asyncio.sleep(min(left, _LOOK_EVERY_S))


async def _serve(plan: Plan, log: Path, builder: int) -> None:
    """Until nobody is at the other end of the builder's pipe."""
    server = _Server(plan, log)
    runner = web.ServerRunner(web.Server(server.handle))
    await runner.setup()
    port = 0
    for address in plan.addresses:
        await web.TCPSite(runner, address, port).start()
        port = runner.addresses[0][1]
    server.open_graphs(port)
    print(os.getpid(), port, flush=True)
    await asyncio.to_thread(os.read, builder, 1)


def _build() -> None:
    """A line is the file of a plan and the one for its log; the answer is process and port, or why not."""
    # Whoever asked for a site also ends it; nobody waits for it here.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    theirs, ours = os.pipe()
    while line := sys.stdin.readline():
        plan, log = map(Path, json.loads(line))
        if os.fork() == 0:
            os.close(ours)
            try:
                asyncio.run(_serve(Plan.from_json(plan.read_text()), log, theirs))
            except OSError as error:
                print(error, flush=True)
            os._exit(0)


if __name__ == "__main__":
    _build()
