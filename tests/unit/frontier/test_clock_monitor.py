"""When a clock is said to have jumped, and what is believed of it afterwards."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.frontier.clock_monitor import SETTLING_S, ClockMonitor

NOON = datetime(2026, 7, 25, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("shows_s", "has_jumped"),
    [
        pytest.param(60.0, False, id="as expected"),
        pytest.param(60.9, False, id="an answer may take its time"),
        pytest.param(3660.0, True, id="an hour ahead"),
        pytest.param(30.0, True, id="half a minute back"),
    ],
)
def test_a_clock_that_shows_something_else_than_it_should_has_jumped(shows_s, has_jumped):
    monitor = ClockMonitor()
    monitor.observe(NOON, 1000.0, 1000.1)

    assert monitor.observe(NOON + timedelta(seconds=shows_s), 1060.0, 1060.1) is has_jumped


def test_an_answer_that_took_a_minute_may_have_been_given_at_any_time_in_it():
    monitor = ClockMonitor()
    monitor.observe(NOON, 1000.0, 1000.1)

    assert monitor.observe(NOON + timedelta(seconds=45), 1001.0, 1060.0) is False


def test_nothing_is_known_before_the_first_look():
    assert ClockMonitor().latest(1000.0) is None


def test_the_first_look_is_believed():
    monitor = ClockMonitor()

    assert monitor.observe(NOON, 1000.0, 1000.1) is False
    assert monitor.latest(1005.0) == NOON + timedelta(seconds=6)


def test_after_a_jump_no_time_is_early_enough_until_all_have_noticed():
    monitor = ClockMonitor()
    monitor.observe(NOON, 1000.0, 1000.1)
    monitor.observe(NOON + timedelta(hours=1), 1001.0, 1001.0)

    assert monitor.latest(1001.0) < NOON
    assert monitor.latest(1001.0 + SETTLING_S) == NOON + timedelta(hours=1, seconds=SETTLING_S + 1)
