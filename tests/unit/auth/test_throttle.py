"""Waits after failed logins grow, are bounded, and are forgotten."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.auth.throttle import (
    BY_ADDRESS,
    BY_NAME,
    FORGOTTEN,
    ThrottleState,
    count_attempt,
    wait_after,
    wait_now,
)

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0), (1, 0), (5, 0), (6, 1), (7, 2), (8, 4), (11, 32), (12, 60), (5_000, 60)]
)
def test_a_name_waits_longer_after_each_failure_but_a_minute_at_most(failures: int, seconds: int):
    assert wait_after(failures, BY_NAME) == timedelta(seconds=seconds)


def test_an_address_has_more_attempts_and_waits_longer():
    assert wait_after(20, BY_ADDRESS) == timedelta()
    assert wait_after(21, BY_ADDRESS) == timedelta(seconds=1)
    assert wait_after(10**6, BY_ADDRESS) == timedelta(minutes=15)


def test_an_attempt_counts_before_its_result_is_known():
    state = None
    for _ in range(7):
        state = count_attempt(state, NOON, BY_NAME)

    assert state == ThrottleState(7, NOON, NOON + timedelta(seconds=2))
    assert wait_now(state, NOON + timedelta(seconds=1)) == timedelta(seconds=1)
    assert wait_now(state, NOON + timedelta(seconds=3)) == timedelta()


def test_failures_are_forgotten_after_a_while():
    old = ThrottleState(50, NOON, NOON + timedelta(seconds=60))

    assert count_attempt(old, NOON + FORGOTTEN, BY_NAME).failures == 1
    assert count_attempt(old, NOON + FORGOTTEN - timedelta(seconds=1), BY_NAME).failures == 51
    assert wait_now(None, NOON) == timedelta()
