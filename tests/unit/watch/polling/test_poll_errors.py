"""Every outcome of a poll has one type of error, or none."""

import pytest

from outrider.fetch.outcome import (
    Exchange,
    Failed,
    Failure,
    Fetched,
    NotModified,
    Redirected,
    Refusal,
    Refused,
    Rejected,
)
from outrider.watch.polling.poll_errors import HOUR_S, TOLERANCE, PollError, error_of

URL = "http://a.test/feed"


def exchange(status: int) -> Exchange:
    return Exchange(URL, status, {}, 1)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, "unexpected"),
        (401, "forbidden"),
        (403, "forbidden"),
        (404, "not_found"),
        (410, "gone"),
        (418, "unexpected"),
        (429, "rate_limited"),
        (451, "forbidden"),
        (500, "upstream_failure"),
        (503, "upstream_failure"),
    ],
)
def test_a_status_has_its_type(status: int, expected: str):
    assert error_of(Rejected(exchange(status))) == expected


@pytest.mark.parametrize("failure", list(Failure))
def test_a_failure_is_the_networks_unless_something_unusable_arrived(failure: Failure):
    unusable = {Failure.BAD_ENCODING, Failure.TOO_LARGE, Failure.HEADERS_TOO_LARGE}

    assert error_of(Failed(URL, failure, "", 1)) == ("parse_error" if failure in unusable else "network")


def test_an_address_we_may_not_ask_is_forbidden():
    assert error_of(Refused(URL, Refusal.BLOCKED_ADDRESS, "")) is PollError.FORBIDDEN


def test_a_redirect_that_leads_nowhere_is_the_sites_failure():
    assert error_of(Redirected(exchange(301), "", None)) is PollError.UPSTREAM_FAILURE


@pytest.mark.parametrize("outcome", [Fetched(exchange(200), b""), NotModified(exchange(304))])
def test_an_answer_is_no_error(outcome: Fetched | NotModified):
    assert error_of(outcome) is None


def test_tolerances_are_those_required():
    """FED-12, number by number."""
    assert {error.value: (each.errors, each.rest_s / HOUR_S) for error, each in TOLERANCE.items()} == {
        "gone": (1, 72),
        "not_found": (3, 48),
        "forbidden": (5, 24),
        "parse_error": (5, 24),
        "upstream_failure": (10, 6),
        "network": (10, 12),
    }


def test_only_the_unexpected_is_an_alarm_at_once():
    assert [error for error in PollError if not error.is_expected] == [PollError.UNEXPECTED]
