"""When a channel is polled next: back-off, rest and return."""

import pytest

from outrider.watch.polling.after_poll import ChannelState, ChannelUpdate, after_failure, after_success
from outrider.watch.polling.poll_errors import TOLERANCE, PollError

HOUR = 3600.0
DAY = 24 * HOUR


def fail(error: PollError, errors: int = 0, **standing: object) -> ChannelUpdate:
    return after_failure(ChannelState(900, errors, **standing), error)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("errors", "expected_s"), [(0, 1800), (1, 3600), (2, 7200), (5, 57_600), (6, DAY), (8, DAY), (500, DAY)]
)
def test_each_error_doubles_the_wait_up_to_a_day(errors: int, expected_s: float):
    """FED-09."""
    assert fail(PollError.UNEXPECTED, errors).next_in_s == expected_s


@pytest.mark.parametrize("error", list(TOLERANCE))
def test_a_channel_is_disabled_at_its_tolerance_and_not_before(error: PollError):
    """FED-12."""
    tolerance = TOLERANCE[error]
    before = fail(error, tolerance.errors - 2) if tolerance.errors > 1 else None
    at = fail(error, tolerance.errors - 1)

    assert before is None or not before.is_disabled
    assert at.is_disabled
    assert at.next_in_s == tolerance.rest_s


@pytest.mark.parametrize("error", [PollError.RATE_LIMITED, PollError.UNEXPECTED])
def test_some_errors_never_disable(error: PollError):
    assert not fail(error, 1000).is_disabled


@pytest.mark.parametrize("error", list(TOLERANCE))
def test_where_disabling_is_switched_off_a_channel_is_only_asked_more_rarely(error: PollError):
    """CON-31."""
    verdict = after_failure(ChannelState(900, 50), error, may_disable=False)

    assert (verdict.is_disabled, verdict.next_in_s) == (False, DAY)


def test_a_disabled_channel_that_fails_again_rests_again():
    again = fail(PollError.NETWORK, 3, is_disabled=True)

    assert again.is_disabled
    assert again.next_in_s == TOLERANCE[PollError.NETWORK].rest_s


def test_a_disabled_channel_with_a_retry_after_stays_disabled():
    assert fail(PollError.RATE_LIMITED, 3, is_disabled=True).is_disabled


@pytest.mark.parametrize(
    ("errors", "retry_after_s", "expected_s"),
    [
        (0, 120.0, 120),
        (3, 3600.0, 3600),
        (0, 0.0, 60),
        (0, None, 600),
        (1, None, 1200),
        (5, None, 19_200),
        (6, None, 8 * HOUR),
        (99, None, 8 * HOUR),
    ],
)
def test_a_429_waits_as_asked_or_ever_longer(errors: int, retry_after_s: float | None, expected_s: float):
    """FED-13."""
    verdict = after_failure(ChannelState(900, errors), PollError.RATE_LIMITED, retry_after_s)

    assert verdict.next_in_s == expected_s


def test_retry_after_of_another_error_may_only_lengthen_the_wait():
    standing = ChannelState(900)

    assert after_failure(standing, PollError.UPSTREAM_FAILURE, 60.0).next_in_s == 1800
    assert after_failure(standing, PollError.UPSTREAM_FAILURE, 7000.0).next_in_s == 7000


def test_the_tenth_error_in_a_row_is_alarming():
    """FED-10."""
    assert [fail(PollError.UNEXPECTED, errors).is_alarming for errors in (8, 9, 10)] == [False, True, True]


def test_success_forgets_every_error():
    assert after_success(900, 900) == ChannelUpdate(900, 900, errors=0, error=None, is_disabled=False)


def test_no_channel_is_asked_again_within_a_minute():
    assert after_success(0, 900).next_in_s == 60
