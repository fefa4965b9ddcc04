"""The circuit breaker: when it opens, how it feels its way back, and what leaves it alone."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.hosts.breaker import PROBES_TO_CLOSE, admit, batch_limit, on_result, on_robots
from outrider.hosts.model import NO_PAUSE, BreakerState, Health, HostState
from outrider.hosts.options import HostOptions

OPTIONS = HostOptions()
GOOD, BAD, NEUTRAL = Health.GOOD, Health.BAD, Health.NEUTRAL
CLOSED, OPEN, HALF_OPEN = BreakerState.CLOSED, BreakerState.OPEN, BreakerState.HALF_OPEN


def after(*results, state=None):
    """The state a run of results leads to; an open breaker is claimed again after its rest."""
    reaction = None
    state = state or HostState()
    for health in results:
        reaction = on_result(admit(state), health, OPTIONS)
        state = reaction.state
    return reaction


def test_five_failures_in_a_row_open_it_for_a_minute():
    fourth, fifth = after(*[BAD] * 4), after(*[BAD] * 5)

    assert (fourth.state.breaker, fourth.pause) == (CLOSED, NO_PAUSE)
    assert (fifth.state.breaker, fifth.pause) == (OPEN, timedelta(seconds=60))


def test_a_success_in_between_starts_the_count_anew():
    assert after(BAD, BAD, BAD, BAD, GOOD, BAD, BAD, BAD, BAD).state.breaker is CLOSED


def test_what_says_nothing_about_the_host_changes_nothing():
    failing = after(*[BAD] * 4)

    assert after(NEUTRAL, NEUTRAL, state=failing.state).state == failing.state
    assert after(NEUTRAL, BAD, state=failing.state).state.breaker is OPEN


def test_it_half_opens_when_the_host_is_claimed_again():
    opened = after(*[BAD] * 5).state

    assert admit(opened).breaker is HALF_OPEN
    assert admit(HostState()) == HostState()


def test_two_good_probes_close_it_and_forget_the_past():
    opened = after(*[BAD] * 5).state

    assert after(GOOD, state=opened).state.breaker is HALF_OPEN
    assert after(GOOD, GOOD, state=opened).state == HostState()
    assert after(GOOD, NEUTRAL, GOOD, state=opened).state == HostState()


def test_a_failing_probe_opens_it_again_for_twice_as_long_up_to_ten_minutes():
    state, rests = after(*[BAD] * 4).state, []
    for _ in range(6):
        reaction = after(BAD, state=state)
        state = reaction.state
        rests.append(reaction.pause.total_seconds())

    assert rests == [60, 120, 240, 480, 600, 600]


def test_one_good_probe_does_not_outweigh_the_next_failure():
    assert after(*[BAD] * 5, GOOD, BAD).state.breaker is OPEN


@pytest.mark.parametrize(("breaker", "limit"), [(CLOSED, 8), (OPEN, 1), (HALF_OPEN, 1)])
def test_a_doubtful_host_gets_one_probe_at_a_time(breaker, limit):
    assert batch_limit(HostState(breaker=breaker), 8) == limit
    assert batch_limit(HostState(breaker=breaker), 0) == 0


def test_the_third_miss_of_robots_txt_rests_the_host_for_an_hour():
    state, rests = HostState(), []
    for _ in range(4):
        reaction = on_robots(state, answered=False)
        state = reaction.state
        rests.append(reaction.pause)

    assert rests == [NO_PAUSE, NO_PAUSE, timedelta(hours=1), timedelta(hours=1)]
    assert on_robots(state, answered=True).state == HostState()


@given(st.lists(st.sampled_from([GOOD, BAD, NEUTRAL, "claim"]), max_size=300))
def test_every_walk_stays_inside_the_three_states(events):
    state = HostState()
    for event in events:
        before = state
        reaction = None if event == "claim" else on_result(state, event, OPTIONS)
        state = admit(state) if reaction is None else reaction.state

        assert (state.breaker is CLOSED) == (state.trips == 0)
        assert state.probes_ok < PROBES_TO_CLOSE
        assert state.breaker is not CLOSED or state.failures < OPTIONS.breaker_failures
        if reaction is not None:
            assert (reaction.pause > NO_PAUSE) == (event is BAD and state.breaker is OPEN)
            assert reaction.pause <= timedelta(minutes=10)
        assert replace(state, breaker=CLOSED, failures=0, trips=0, probes_ok=0) == HostState()
        assert before.delay_ms == state.delay_ms


@given(st.lists(st.sampled_from(list(Health)), max_size=100))
def test_a_host_that_works_again_is_always_trusted_again(results):
    state = after(NEUTRAL, *results).state

    assert after(GOOD, GOOD, state=state).state.breaker is CLOSED
