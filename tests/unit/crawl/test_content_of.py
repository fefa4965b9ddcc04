"""How much of what kind a server sent."""

import pytest

from outrider.crawl.records import content_of, error_of
from outrider.fetch.outcome import (
    Exchange,
    Failed,
    Failure,
    Fetched,
    NotModified,
    Outcome,
    Redirected,
    Refusal,
    Refused,
    Rejected,
)


def exchange(status: int = 200, wire_bytes: int = 7, **headers: str) -> Exchange:
    return Exchange(
        "http://a.test/", status, {k.replace("_", "-"): v for k, v in headers.items()}, 5, wire_bytes
    )


@pytest.mark.parametrize(
    ("declared", "length"),
    [("123", 123), ("0", 0), ("-1", 7), ("1, 1", 7), ("٣", 7), ("9" * 18, 7), ("9" * 17, 10**17 - 1)],
)
def test_the_declared_length_counts_where_it_is_a_number_that_fits(declared, length):
    assert content_of(NotModified(exchange(content_length=declared))) == (None, length)


def test_without_a_declared_length_it_is_what_arrived():
    assert content_of(Rejected(exchange(content_type="text/plain"))) == ("text/plain", 7)


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (Fetched(exchange(), b""), None),
        (NotModified(exchange(304)), None),
        (Redirected(exchange(301), "/x", "http://a.test/x"), None),
        (Redirected(exchange(301), "mailto:x", None, "not a web address"), "not a web address"),
        (Rejected(exchange(503)), "the server answered 503"),
        (Failed("http://a.test/", Failure.TIMEOUT, "no answer in 5 s", 5_000), "no answer in 5 s"),
        (Refused("http://a.test/", Refusal.BLOCKED_ADDRESS, "a private address"), "a private address"),
    ],
)
def test_what_could_not_be_used_says_why(outcome: Outcome, message: str | None):
    assert error_of(outcome) == message
