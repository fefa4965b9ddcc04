"""A clock that the test moves, a server on that clock, and leases by that clock."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from outrider.crawl.politeness import host_pace, host_session
from outrider.fetch.outcome import Failed, Failure, Request
from outrider.frontier.lease import Lease
from outrider.hosts.model import HostState


class Clock:
    """Time passes only during a sleep or a request."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class Server:
    """Answers nothing useful after two seconds, and remembers when each request began and ended."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.asked: list[tuple[float, float]] = []

    async def fetch(self, request: Request) -> Failed:
        began = self._clock.now
        self._clock.now += 2
        self.asked.append((began, self._clock.now))
        return Failed(request.url, Failure.TIMEOUT, "too slow", 2_000)

    @property
    def gaps(self) -> list[float]:
        """From the end of each request to the start of the next one."""
        return [after[0] - before[1] for before, after in pairwise(self.asked)]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (host_pace, host_session):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr("outrider.crawl.turn.time", clock)
    monkeypatch.setattr("outrider.clock.time", clock)
    monkeypatch.setattr("outrider.clock.asyncio", clock)
    return clock


@pytest.fixture
def server(clock: Clock) -> Server:
    return Server(clock)


@pytest.fixture
def lease(clock: Clock) -> Callable[..., Lease]:
    def make(state: HostState | None = None, *, was_lost: bool = False, lasts_s: float = 10_000) -> Lease:
        return Lease(
            host_id=1,
            host="a.test",
            seq=1,
            expires=clock.now + lasts_s,
            state=state or HostState(delay_ms=1_000),
            probation=0,
            crash_count=0,
            in_progress=None,
            was_lost=was_lost,
            relapsed=False,
        )

    return make
