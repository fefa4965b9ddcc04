"""Adaptive intervals: what a visit that found the same content, or another one, means for the next."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.sources import NOON

from outrider.jobs.adaptive import AdaptiveState, Observed, after_run, interval_after, observe, reason

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
HALF = 30 * MINUTE
baselines = st.integers(1, 60 * 24 * 30).map(lambda minutes: minutes * MINUTE)


def visited(*hashes: str, baseline: timedelta = HALF) -> AdaptiveState:
    state = None
    for number, each in enumerate(hashes):
        state = observe(state, each, baseline, NOON + number * HOUR)
    assert state is not None
    return state


def test_the_first_visit_counts_as_a_change():
    """ADP-03."""
    assert visited("a") == AdaptiveState("a", NOON, 0, HALF)


def test_each_unchanged_visit_doubles_the_interval():
    """ADP-04."""
    assert visited("a", "a") == AdaptiveState("a", NOON, 1, HOUR)
    assert visited("a", "a", "a", "a") == AdaptiveState("a", NOON, 3, 4 * HOUR)


def test_a_change_returns_to_the_baseline():
    """ADP-03."""
    assert visited("a", "a", "a", "b") == AdaptiveState("b", NOON + 3 * HOUR, 0, HALF)
    assert visited("a", "b", "a").unchanged_count == 0


@pytest.mark.parametrize(
    ("baseline", "unchanged", "interval"),
    [
        (HALF, 5, 16 * HOUR),
        (HALF, 6, DAY),
        (HALF, 10**9, DAY),
        (18 * HOUR, 1, DAY),
        (DAY, 3, DAY),
        (7 * DAY, 0, 7 * DAY),
        (7 * DAY, 5, 7 * DAY),
    ],
)
def test_the_interval_is_at_most_a_day_and_never_below_the_baseline(baseline, unchanged, interval):
    """ADP-04, CON-41."""
    assert interval_after(unchanged, baseline) == interval


@given(baselines, st.integers(0, 100))
def test_a_longer_calm_never_shortens_the_interval(baseline, unchanged):
    now, later = interval_after(unchanged, baseline), interval_after(unchanged + 1, baseline)

    assert baseline <= now <= later <= max(DAY, baseline)


STATE = AdaptiveState("a", NOON, 2, 2 * HOUR)
RUN = {"is_adaptive": True, "has_succeeded": True, "content_hash": "a", "baseline": HALF, "now": NOON + DAY}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            {}, Observed(AdaptiveState("a", NOON, 3, 4 * HOUR), 4 * HOUR), id="the same content again"
        ),
        pytest.param(
            {"content_hash": "b"}, Observed(AdaptiveState("b", NOON + DAY, 0, HALF), HALF), id="a change"
        ),
        pytest.param({"has_succeeded": False}, Observed(STATE, 2 * HOUR), id="a failed run changes nothing"),
        pytest.param({"is_adaptive": False}, Observed(STATE, HALF), id="a fixed interval"),
        pytest.param(
            {"content_hash": None},
            Observed(STATE, HALF, "the run has no content hash: the fixed interval is used"),
            id="no hash",
        ),
    ],
)
def test_what_a_run_means(changes, expected):
    """ADP-01, ADP-06, ADP-09."""
    assert after_run(STATE, **RUN | changes) == expected


def test_a_first_run_that_fails_leaves_no_state():
    assert after_run(None, **RUN | {"has_succeeded": False}) == Observed(None, HALF)


@pytest.mark.parametrize(
    ("state", "baseline", "sentence"),
    [
        (None, HALF, "not visited yet: every 30 min"),
        (visited("a"), HALF, "changed at the last visit: every 30 min"),
        (visited("a", "a"), HALF, "unchanged once: every 1 h instead of 30 min"),
        (visited("a", "a", "a", "a"), HALF, "unchanged 3 times: every 4 h instead of 30 min"),
        (
            visited("a", "a", baseline=38 * MINUTE),
            38 * MINUTE,
            "unchanged once: every 1 h 16 min instead of 38 min",
        ),
        (visited("a", "a", baseline=18 * HOUR), 18 * HOUR, "unchanged once: every 1 day instead of 18 h"),
        (
            visited("a", "a", baseline=7 * DAY),
            7 * DAY,
            "unchanged once: every 7 days, which is the longest wait",
        ),
    ],
)
def test_the_reason_is_a_plain_sentence(state, baseline, sentence):
    assert reason(state, baseline) == sentence
