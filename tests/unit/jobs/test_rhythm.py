"""When a recurring job runs next: the rhythm stays, whatever happens between two runs."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.sources import NOON

from outrider.jobs.rhythm import next_after, next_run_after
from outrider.jobs.slot_times import SLOT, slot_of, start_of

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.mark.parametrize(
    ("started", "ended", "expected"),
    [
        pytest.param(NOON, NOON + MINUTE, NOON + 6 * HOUR, id="on time"),
        pytest.param(NOON + HOUR, NOON + 2 * HOUR, NOON + 6 * HOUR, id="late: the phase stays"),
        pytest.param(NOON + 50 * HOUR, NOON + 51 * HOUR, NOON + 54 * HOUR, id="after downtime: once, ahead"),
        pytest.param(NOON, NOON + 7 * HOUR, NOON + 12 * HOUR, id="a run longer than the interval"),
        pytest.param(NOON - HOUR, NOON - HOUR + MINUTE, NOON, id="a forced run before the slot"),
        pytest.param(NOON - 5 * HOUR, NOON - 4 * HOUR, NOON, id="a forced run long before the slot"),
        pytest.param(NOON, NOON - MINUTE, NOON + 6 * HOUR, id="the clock was set back"),
    ],
)
def test_the_next_run_keeps_the_phase(started, ended, expected):
    """BAL-04, BAL-05."""
    assert next_run_after(NOON, 6 * HOUR, started, ended) == expected


@pytest.mark.parametrize(("minutes", "slots"), [(15, 1), (30, 2), (60, 4), (1440, 96), (10_080, 672)])
def test_the_next_slot_is_the_current_one_plus_the_interval(minutes, slots):
    """BAL-04."""
    at = next_run_after(NOON, minutes * MINUTE, NOON + timedelta(seconds=9), NOON + MINUTE)

    assert slot_of(at) == slot_of(NOON) + slots


@pytest.mark.parametrize(
    ("wait", "expected"),
    [
        pytest.param(4 * HOUR, NOON + 4 * HOUR, id="longer than the interval"),
        pytest.param(30 * MINUTE, NOON + 30 * MINUTE, id="as long as it"),
        pytest.param(MINUTE, NOON + 30 * MINUTE, id="never shorter"),
    ],
)
def test_an_adaptive_wait_counts_from_the_slot(wait, expected):
    """ADP-07."""
    at = next_run_after(NOON, 30 * MINUTE, NOON + 8 * MINUTE, NOON + 9 * MINUTE, wait)

    assert at == expected


@given(st.integers(1, 20_000), st.integers(1, 10), st.integers(-(10**6), 10**6), st.integers(0, 10**5))
def test_an_adaptive_run_is_ahead_and_at_the_start_of_a_slot(minutes, doublings, late_s, took_s):
    """ADP-07."""
    interval = minutes * MINUTE
    wait = interval * 2**doublings
    started = NOON + timedelta(seconds=late_s)
    ended = started + timedelta(seconds=took_s)
    at = next_run_after(NOON, interval, started, ended, wait)

    assert at > ended
    assert at <= max(started + wait, ended + interval)
    if started + wait - interval - SLOT > ended and wait >= SLOT:
        assert at == start_of(slot_of(at))


@given(st.integers(1, 20_000), st.integers(-(10**7), 10**7))
def test_a_time_of_the_rhythm_is_ahead_and_a_whole_number_of_intervals_away(minutes, late_s):
    interval, now = minutes * MINUTE, NOON + timedelta(seconds=late_s)
    at = next_after(NOON, interval, now)

    assert timedelta() < at - now <= interval
    assert (at - NOON) % interval == timedelta()
