"""The pace of requests to one host, by a clock that the test moves: never early."""

import random
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from outrider.crawl.politeness.host_pace import HostPace
from outrider.fetch.outcome import Exchange, Failed, Failure, Fetched, Rejected, Request
from outrider.hosts.model import BreakerState, HostState
from outrider.hosts.options import HostOptions


@pytest.fixture
def pace_of(server) -> Callable[..., HostPace]:
    def make(state: HostState | None = None, options: HostOptions | None = None) -> HostPace:
        tools = SimpleNamespace(fetcher=server, host_options=options or HostOptions(), dice=random.Random(1))
        return HostPace(state or HostState(delay_ms=1_000), tools)

    return make


async def _ask(pace: HostPace) -> None:
    assert await pace.may_ask()
    await pace.ask(Request("http://a.test/"))


async def test_the_delay_runs_from_the_end_of_the_answer(pace_of, server):
    pace = pace_of()
    for _ in range(3):
        await _ask(pace)

    assert server.gaps == pytest.approx([1.0, 1.0])


async def test_the_first_request_to_a_host_goes_at_once(pace_of, server):
    await _ask(pace_of())

    assert server.asked[0][0] == 0.0


async def test_a_penalty_is_part_of_the_delay(pace_of, server):
    pace = pace_of(HostState(delay_ms=1_000, penalty_ms=500))
    for _ in range(2):
        await _ask(pace)

    assert server.gaps == pytest.approx([1.5])


async def test_a_longer_delay_counts_from_the_last_answer(pace_of, server):
    pace = pace_of()
    await _ask(pace)
    pace.change(replace(pace.state, delay_ms=3_000))
    await _ask(pace)

    assert server.gaps == pytest.approx([3.0])


async def test_a_shorter_delay_does_not_hurry_the_next_request(pace_of, server):
    pace = pace_of()
    await _ask(pace)
    pace.change(replace(pace.state, delay_ms=0))
    for _ in range(2):
        await _ask(pace)

    assert server.gaps == pytest.approx([1.0, 0.0])


async def test_a_random_extra_only_lengthens(pace_of, server):
    pace = pace_of(options=HostOptions(random_delay_ms=500))
    for _ in range(20):
        await _ask(pace)

    assert min(server.gaps) >= 1.0
    assert 1.3 < max(server.gaps) <= 1.5


async def test_a_pause_never_shortens_another(pace_of):
    pace = pace_of()
    pace.pause(60)
    pace.pause(5)

    assert pace.wait_s == 60


async def test_the_delay_runs_even_when_the_request_breaks(pace_of, server, monkeypatch):
    async def explode(_):
        raise RuntimeError

    monkeypatch.setattr(server, "fetch", explode)
    pace = pace_of()
    with pytest.raises(RuntimeError):
        await pace.ask(Request("http://a.test/"))

    assert pace.wait_s == pytest.approx(1.0)


async def test_a_host_whose_circuit_was_open_is_being_probed(pace_of):
    assert pace_of(HostState(breaker=BreakerState.OPEN)).state.breaker is BreakerState.HALF_OPEN


async def test_a_429_slows_the_host_down_and_its_retry_after_is_a_rest(pace_of):
    pace = pace_of()
    exchange = Exchange("http://a.test/", 429, {}, 0, 10)

    assert pace.learn(Rejected(exchange, retry_after_s=600))

    assert pace.state.penalty_ms > 0
    assert pace.wait_s == 600


async def test_failures_in_a_row_open_the_circuit_and_the_host_rests(pace_of):
    pace = pace_of(options=HostOptions(breaker_failures=2))
    failed = Failed("http://a.test/", Failure.TIMEOUT, "too slow", 2_000)

    assert [pace.learn(failed), pace.learn(failed)] == [False, True]

    assert pace.state.breaker is BreakerState.OPEN
    assert pace.wait_s == 60


async def test_a_good_answer_changes_nothing(pace_of):
    pace = pace_of()
    before = pace.state

    assert not pace.learn(Fetched(Exchange("http://a.test/", 200, {}, 0, 10), b"", content_type=None))

    assert pace.state is before


def test_good_answers_are_applied_again_after_the_state_of_the_host_has_changed(pace_of):
    fetched = Fetched(Exchange("http://a.test/", 200, {}, 0, 10), b"", content_type=None)
    failed = Failed("http://a.test/", Failure.TIMEOUT, "too slow", 2_000)
    pace = pace_of()
    before = pace.state

    assert not pace.learn(fetched)
    assert not pace.learn(fetched)
    assert pace.state is before

    pace.learn(failed)
    assert pace.state.failures == 1
    pace.learn(fetched)
    assert pace.state.failures == 0

    pace.change(replace(pace.state, penalty_ms=500))
    pace.learn(fetched)
    assert pace.state.calm == 1
