"""How an answer changes the way its host is treated."""

from datetime import timedelta

import pytest

from outrider.crawl.host_policy import apply_outcome
from outrider.fetch.outcome import Exchange, Failed, Failure, Fetched, Rejected
from outrider.hosts.model import BreakerState, HostState
from outrider.hosts.options import HostOptions

OPTIONS = HostOptions(delay_ms=1_000, breaker_failures=5, breaker_rest=timedelta(seconds=60))
HOST = HostState(delay_ms=1_000)
GOOD = Fetched(Exchange("http://a.test/", 200, {}, 5), b"")
TIMEOUT = Failed("http://a.test/", Failure.TIMEOUT, "too slow", 5)


def rejected(status: int, retry_after_s: float | None = None) -> Rejected:
    return Rejected(Exchange("http://a.test/", status, {}, 5), retry_after_s)


def test_a_good_answer_asks_for_nothing():
    assert apply_outcome(HOST, GOOD, OPTIONS).state == HOST
    assert not apply_outcome(HOST, GOOD, OPTIONS).pause


@pytest.mark.parametrize(("asked_s", "pause_s"), [(None, 0), (30, 30), (7200, 7200), (10**9, 86_400)])
@pytest.mark.parametrize("status", [429, 503])
def test_a_host_is_left_alone_for_as_long_as_it_asks_up_to_a_day(status, asked_s, pause_s):
    assert apply_outcome(HOST, rejected(status, asked_s), OPTIONS).pause == timedelta(seconds=pause_s)


def test_429_slows_us_down_and_is_no_failure():
    reaction = apply_outcome(HOST, rejected(429), OPTIONS)

    assert (reaction.state.penalty_ms, reaction.state.failures) == (1_000, 0)


def test_503_is_a_failure_and_no_reason_to_slow_down():
    reaction = apply_outcome(HOST, rejected(503), OPTIONS)

    assert (reaction.state.penalty_ms, reaction.state.failures) == (0, 1)


@pytest.mark.parametrize("outcome", [TIMEOUT, rejected(500)], ids=["timeout", "500"])
def test_the_fifth_failure_in_a_row_opens_the_circuit(outcome):
    state = HOST
    for _ in range(4):
        reaction = apply_outcome(state, outcome, OPTIONS)
        state = reaction.state
        assert not reaction.pause
    reaction = apply_outcome(state, outcome, OPTIONS)

    assert reaction.state.breaker is BreakerState.OPEN
    assert reaction.pause == timedelta(seconds=60)


def test_the_longer_of_two_pauses_counts():
    state = HostState(failures=4)

    assert apply_outcome(state, rejected(503, 600), OPTIONS).pause == timedelta(seconds=600)
    assert apply_outcome(state, rejected(503, 5), OPTIONS).pause == timedelta(seconds=60)


def test_another_refusal_than_429_ends_the_row_of_them():
    assert apply_outcome(HostState(rate_limited=9), rejected(503), OPTIONS).state.rate_limited == 0
    assert apply_outcome(HostState(rate_limited=9), rejected(404), OPTIONS).state.rate_limited == 0
    assert apply_outcome(HostState(rate_limited=9), TIMEOUT, OPTIONS).state.rate_limited == 9


def test_a_404_changes_nothing():
    assert apply_outcome(HostState(failures=4), rejected(404), OPTIONS).state == HostState(failures=4)
