"""The delay of a host: where it comes from, how 429 stretches it, how calm shrinks it."""

from datetime import timedelta
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.hosts.model import HostState
from outrider.hosts.options import LONGEST_DELAY_MS, HostOptions
from outrider.hosts.politeness import (
    CALM_SUCCESSES,
    after_429,
    after_other_answer,
    after_success,
    base_delay,
    effective_delay_ms,
    pause_for,
    spread_ms,
)

OPTIONS = HostOptions()
delays = st.integers(0, LONGEST_DELAY_MS)


@pytest.mark.parametrize(
    ("robots", "asked", "expected"),
    [
        pytest.param(None, None, 1_000, id="neither: the default"),
        pytest.param(2.5, None, 2_500, id="robots.txt decides"),
        pytest.param(0.0, None, 0, id="robots.txt may allow haste"),
        pytest.param(None, 0.05, 50, id="the operator decides where robots.txt is silent"),
        pytest.param(None, 0.0, 0, id="even for no delay at all"),
        pytest.param(2.0, 5.0, 5_000, id="the operator may be slower than robots.txt"),
        pytest.param(2.0, 0.1, 2_000, id="but never faster"),
        pytest.param(0.0001, None, 1, id="rounded up, never early"),
        pytest.param(1e12, None, LONGEST_DELAY_MS, id="a day at most"),
        pytest.param(inf, None, LONGEST_DELAY_MS, id="infinity is a day too"),
        pytest.param(nan, None, 0, id="what is no number is no wish"),
        pytest.param(-5.0, 1.0, 1_000, id="nor is a negative one"),
    ],
)
def test_base_delay_follows_precedence(robots, asked, expected):
    assert base_delay(robots, asked, OPTIONS) == expected


@pytest.mark.parametrize(
    ("delay_ms", "after_each_429"),
    [
        (1_000, [2_000, 4_000, 8_000, 16_000, 32_000, 61_000, 61_000]),
        (0, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]),
        (100_000, [160_000, 160_000]),
    ],
)
def test_429_doubles_the_delay_up_to_the_cap(delay_ms, after_each_429):
    state, seen = HostState(delay_ms=delay_ms), []
    for _ in after_each_429:
        state = after_429(state, None, OPTIONS).state
        seen.append(effective_delay_ms(state))

    assert seen == after_each_429


def test_a_penalty_is_halved_after_calm_and_forgotten_when_small():
    state = HostState(penalty_ms=400)

    steps = []
    for _ in range(3):
        for _ in range(CALM_SUCCESSES - 1):
            state = after_success(state)
        steps.append(state.penalty_ms)
        state = after_success(state)

    assert steps == [400, 200, 100]
    assert state == HostState(penalty_ms=0)


def test_another_429_starts_the_calm_anew():
    calm = HostState(penalty_ms=1_000, calm=CALM_SUCCESSES - 1)

    assert after_429(calm, None, OPTIONS).state.calm == 0


def test_the_penalty_outlives_a_new_base_delay():
    punished = after_429(HostState(delay_ms=1_000), None, OPTIONS).state
    refreshed = HostState(delay_ms=5_000, penalty_ms=punished.penalty_ms)

    assert effective_delay_ms(refreshed) == 6_000


@pytest.mark.parametrize(
    ("asked", "granted"),
    [
        (None, timedelta(0)),
        (timedelta(seconds=30), timedelta(seconds=30)),
        (timedelta(hours=6), timedelta(hours=6)),
        (timedelta(days=400), timedelta(hours=24)),
        (timedelta(seconds=-5), timedelta(0)),
    ],
)
def test_retry_after_is_obeyed_up_to_a_day_unless_set_otherwise(asked, granted):
    assert pause_for(asked, OPTIONS) == granted
    assert after_429(HostState(), asked, OPTIONS).pause == granted


def test_a_host_that_keeps_answering_429_rests_twice_as_long_each_time():
    state, rests = HostState(), []
    for _ in range(12):
        reaction = after_429(state, None, OPTIONS)
        state = reaction.state
        rests.append(reaction.pause / timedelta(minutes=1))

    assert rests == [0, 0, 0, 0, 16, 32, 64, 128, 256, 480, 480, 480]


def test_a_longer_retry_after_counts_more_than_our_own_rest():
    state = HostState(rate_limited=4)

    assert after_429(state, timedelta(hours=2), OPTIONS).pause == timedelta(hours=2)
    assert after_429(state, timedelta(minutes=1), OPTIONS).pause == timedelta(minutes=16)


def test_a_host_that_names_a_long_time_is_asked_again_after_that_time():
    state = HostState(rate_limited=8)

    assert after_429(state, None, OPTIONS).pause == timedelta(minutes=256)
    assert after_429(state, timedelta(minutes=90), OPTIONS).pause == timedelta(minutes=90)


@pytest.mark.parametrize("after", [after_success, after_other_answer])
def test_any_other_answer_ends_the_row_of_429s(after):
    assert after(HostState(rate_limited=7)).rate_limited == 0


def test_random_extra_delay_is_off_unless_asked_for():
    assert spread_ms(OPTIONS, 0.99) == 0
    assert spread_ms(HostOptions(random_delay_ms=500), 0.0) == 0
    assert spread_ms(HostOptions(random_delay_ms=500), 0.5) == 250


@given(delays, st.lists(st.booleans(), max_size=200))
def test_delay_stays_between_base_and_cap_whatever_happens(delay_ms, answers):
    state = HostState(delay_ms=delay_ms)
    for is_success in answers:
        state = after_success(state) if is_success else after_429(state, None, OPTIONS).state

        assert delay_ms <= effective_delay_ms(state) <= LONGEST_DELAY_MS
        assert 0 <= state.penalty_ms <= OPTIONS.penalty_cap_ms
        assert 0 <= state.calm < CALM_SUCCESSES


@given(delays, st.integers(0, 60_000))
def test_a_hundred_calm_answers_forgive_everything(delay_ms, penalty_ms):
    state = HostState(delay_ms=delay_ms, penalty_ms=penalty_ms)
    for _ in range(100):
        state = after_success(state)

    assert effective_delay_ms(state) == delay_ms
