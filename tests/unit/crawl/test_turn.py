"""Taking turns with a host, by a clock the test holds: never early, never longer than is worth it."""

import random
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

from outrider.crawl import turn as module
from outrider.crawl.turn import CROWDED_S, MARGIN_S, PATIENT_S, Turn
from outrider.fetch import FetchOptions
from outrider.fetch.outcome import Failed, Failure, Request
from outrider.frontier.lease import Lease
from outrider.hosts.model import BreakerState, HostState
from outrider.hosts.options import HostOptions

TIMEOUT_S = 10.0


class Clock:
    """Time passes only when somebody sleeps or a request takes its time."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class Server:
    """Answers nothing useful after two seconds, and remembers when it was asked."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.asked: list[tuple[float, float]] = []

    async def fetch(self, request: Request) -> Failed:
        began = self._clock.now
        self._clock.now += 2
        self.asked.append((began, self._clock.now))
        return Failed(request.url, Failure.TIMEOUT, "too slow", 2_000)


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr("outrider.clock.time", clock)
    monkeypatch.setattr("outrider.clock.asyncio", clock)
    return clock


@pytest.fixture
def desk(clock):
    """As much of a desk as taking turns needs while no lease runs short."""
    return SimpleNamespace(
        stopping=False,
        crowded=False,
        in_flight=0,
        flusher=SimpleNamespace(is_behind=False),
        fetcher=Server(clock),
        fetching=FetchOptions(timeout_s=TIMEOUT_S),
        care=HostOptions(),
        dice=random.Random(1),
    )


def lease(clock, state: HostState | None = None, *, was_lost: bool = False) -> Lease:
    return Lease(
        host_id=1,
        host="a.test",
        seq=1,
        expires=clock.now + 10_000,
        state=state or HostState(delay_ms=1_000),
        probation=0,
        blame=0,
        accused=None,
        was_lost=was_lost,
        relapsed=False,
    )


async def _ask(turn: Turn) -> None:
    assert await turn.comes()
    await turn.ask(Request("http://a.test/"))


def gaps(desk) -> list[float]:
    return [after[0] - before[1] for before, after in pairwise(desk.fetcher.asked)]


async def test_the_delay_runs_from_the_end_of_the_answer(clock, desk):
    turn = Turn(lease(clock), desk)
    for _ in range(3):
        await _ask(turn)

    assert gaps(desk) == pytest.approx([1.0, 1.0])


async def test_the_first_request_of_a_free_host_goes_at_once(clock, desk):
    await _ask(Turn(lease(clock), desk))

    assert desk.fetcher.asked[0][0] == 0.0


async def test_after_a_lost_lease_the_first_request_waits_the_whole_delay(clock, desk):
    """Whoever died may have asked only a moment ago."""
    await _ask(Turn(lease(clock, was_lost=True), desk))

    assert desk.fetcher.asked[0][0] == 1.0


async def test_a_penalty_is_part_of_the_delay(clock, desk):
    turn = Turn(lease(clock, HostState(delay_ms=1_000, penalty_ms=500)), desk)
    for _ in range(2):
        await _ask(turn)

    assert gaps(desk) == pytest.approx([1.5])


async def test_a_longer_delay_counts_from_the_request_that_taught_us(clock, desk):
    turn = Turn(lease(clock), desk)
    await _ask(turn)
    turn.change(replace(turn.state, delay_ms=3_000))
    await _ask(turn)

    assert gaps(desk) == pytest.approx([3.0])


async def test_a_shorter_delay_does_not_hurry_the_next_request(clock, desk):
    turn = Turn(lease(clock), desk)
    await _ask(turn)
    turn.change(replace(turn.state, delay_ms=0))
    for _ in range(2):
        await _ask(turn)

    assert gaps(desk) == pytest.approx([1.0, 0.0])


async def test_a_random_extra_only_lengthens(clock, desk):
    desk.care = HostOptions(random_delay_ms=500)
    turn = Turn(lease(clock), desk)
    for _ in range(20):
        await _ask(turn)

    assert min(gaps(desk)) >= 1.0
    assert 1.3 < max(gaps(desk)) <= 1.5


@pytest.mark.parametrize(
    ("pause_s", "crowded", "comes"),
    [
        (PATIENT_S, False, True),
        (PATIENT_S + 0.1, False, False),
        (CROWDED_S, True, True),
        (CROWDED_S + 0.1, True, False),
        (3600, False, False),
    ],
)
async def test_a_host_that_must_rest_for_long_is_given_back(clock, desk, pause_s, crowded, comes):
    desk.crowded = crowded
    turn = Turn(lease(clock), desk)
    turn.pause(pause_s)

    assert await turn.comes() is comes
    assert turn.wait_s == (0 if comes else pause_s)


async def test_a_pause_never_shortens_another(clock, desk):
    turn = Turn(lease(clock), desk)
    turn.pause(60)
    turn.pause(5)

    assert turn.wait_s == 60


async def test_nothing_is_asked_once_the_worker_stops(clock, desk):
    turn = Turn(lease(clock), desk)
    desk.stopping = True

    assert not await turn.comes()


async def test_a_stop_during_the_wait_is_heard(clock, desk, monkeypatch):
    turn = Turn(lease(clock), desk)
    turn.pause(1)

    async def sleep(seconds):
        clock.now += seconds
        desk.stopping = True

    monkeypatch.setattr(clock, "sleep", sleep)

    assert not await turn.comes()


@pytest.mark.parametrize(("is_still_ours", "comes"), [(True, True), (False, False)])
async def test_who_was_stopped_in_its_sleep_asks_whether_the_host_is_still_its_own(
    clock, desk, monkeypatch, is_still_ours, comes
):
    """As by SIGSTOP, or on a suspended machine: the clock went on far beyond the lease."""
    turn = Turn(lease(clock), desk)

    async def sleep(seconds: float) -> None:
        clock.now += 20_000

    async def run(renew, **how):
        if is_still_ours:
            turn.lease.expires = clock.now + 10_000
        return {turn.lease.host_id} if is_still_ours else set()

    monkeypatch.setattr(clock, "sleep", sleep)
    desk.line = SimpleNamespace(run=run)
    turn.pause(1)

    assert await turn.comes() is comes
    assert turn.is_lost is not is_still_ours


async def test_no_request_goes_under_a_lost_lease(clock, desk):
    turn = Turn(lease(clock), desk)
    turn.is_lost = True

    assert not await turn.comes()


async def test_the_delay_runs_even_when_the_request_breaks(clock, desk):
    async def explode(_):
        raise RuntimeError

    desk.fetcher.fetch = explode
    turn = Turn(lease(clock), desk)
    with pytest.raises(RuntimeError):
        await turn.ask(Request("http://a.test/"))

    assert turn.wait_s == pytest.approx(1.0)
    assert desk.in_flight == 0


async def test_a_claimed_host_whose_circuit_was_open_is_being_probed(clock, desk):
    turn = Turn(lease(clock, HostState(breaker=BreakerState.OPEN)), desk)

    assert turn.state.breaker is BreakerState.HALF_OPEN


@pytest.mark.parametrize(("spare_s", "leaves_time"), [(0.001, True), (0.0, False), (-1.0, False)])
def test_a_request_may_not_outlive_the_lease(clock, spare_s, leaves_time):
    held = lease(clock)
    held.expires = clock.now + TIMEOUT_S + MARGIN_S + spare_s

    assert held.leaves_time_for(TIMEOUT_S + MARGIN_S, clock.now) is leaves_time
