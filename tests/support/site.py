"""A programmable website in a process of its own: slow, broken, redirecting or dripping, as its plan says.

It keeps serving while crawlers are killed around it, and its log is written line by line as answers end.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

_ROOT = Path(__file__).parents[2]


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

    def __init__(self, plan: Plan, port: int, log: Path, pid: int) -> None:
        self.plan = plan
        self.port = port
        self.origins = [f"http://{address}:{port}" for address in plan.addresses]
        self._log = log
        self._pid = pid

    @classmethod
    def start(cls, folder: Path, plan: Plan) -> Self:
        folder.mkdir(parents=True, exist_ok=True)
        plan_file, log = folder / "plan.json", folder / "asked.jsonl"
        plan_file.write_text(json.dumps(asdict(plan)))
        log.touch()
        pid, port = _open(plan_file, log)
        return cls(plan, port, log, pid)

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
        with suppress(ProcessLookupError):  # Ctrl-C in a terminal reaches it too
            os.kill(self._pid, signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def page_path(index: int) -> str:
    return f"/page/{index}" if index else "/"


def _open(plan: Path, log: Path) -> tuple[int, int]:
    """Have a site opened; returns its process and its port."""
    builder = _builder()
    assert builder.stdin is not None
    assert builder.stdout is not None
    builder.stdin.write(json.dumps([str(plan), str(log)]) + "\n")
    builder.stdin.flush()
    answer = builder.stdout.readline()
    try:
        pid, port = map(int, answer.split())
    except ValueError:
        raise RuntimeError(f"the site did not open: {answer}") from None
    return pid, port


@cache
def _builder() -> subprocess.Popen[str]:
    """Who opens our sites: to start Python for each of them would take half a second of a processor."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.site_server"],
        cwd=_ROOT,
        stdin=subprocess.PIPE,  # its end is the sign that we are gone, however we went
        stdout=subprocess.PIPE,
        text=True,
    )
