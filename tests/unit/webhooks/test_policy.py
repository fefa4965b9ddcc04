"""When a delivery is sent again."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.fetch.outcome import Exchange, Failed, Failure, Fetched, Redirected, Refusal, Refused, Rejected
from outrider.webhooks.policy import MOST_ATTEMPTS, Delivered, GivenUp, SendAgain, result_of

NOW = datetime(2026, 1, 5, tzinfo=UTC)
URL = "https://cms.test/hook"


def exchange(status: int) -> Exchange:
    return Exchange(URL, status, {}, 5)


FAILED = Failed(URL, Failure.TIMEOUT, "no answer", 5)


def test_any_2xx_is_accepted():
    assert result_of(Fetched(exchange(204), b""), 1, NOW) == Delivered(204)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Rejected(exchange(500)), 500),
        (Rejected(exchange(404)), 404),
        (Redirected(exchange(302), "https://b.test/", "https://b.test/", None), 302),
        (FAILED, None),
        (Refused(URL, Refusal.NO_CONTACT, "no contact"), None),
    ],
)
def test_a_failure_is_tried_again(outcome, status):
    again = result_of(outcome, 1, NOW)

    assert isinstance(again, SendAgain)
    assert (again.at, again.status) == (NOW + timedelta(seconds=60), status)


def test_the_waits_grow_and_end():
    waits = [result_of(FAILED, number, NOW) for number in range(1, MOST_ATTEMPTS + 1)]

    times = [each.at for each in waits[:-1]]
    assert times == sorted(set(times))
    assert isinstance(waits[-1], GivenUp)


def test_a_rest_that_the_webhook_asks_for_is_kept():
    again = result_of(Rejected(exchange(503), retry_after_s=600.0), 1, NOW)

    assert again.at == NOW + timedelta(seconds=600)


@pytest.mark.parametrize(
    "outcome", [Rejected(exchange(410)), Refused(URL, Refusal.BLOCKED_ADDRESS, "127.0.0.1 is not public")]
)
def test_what_can_never_succeed_is_given_up_at_once(outcome):
    assert isinstance(result_of(outcome, 1, NOW), GivenUp)
