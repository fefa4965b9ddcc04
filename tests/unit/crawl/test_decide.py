"""Outcome in, decision out: the whole table."""

import pytest

from outrider.crawl.decide import (
    Confirm,
    Dead,
    Keep,
    Move,
    Retry,
    decide,
    health_of,
    is_retried_at_once,
)
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
from outrider.fetch.outcome_name import name_of
from outrider.fetch.tls_failures import TLS_FAILURES
from outrider.hosts.model import Health

URL = "http://a.test/"


def exchange(status: int) -> Exchange:
    return Exchange(URL, status, {}, 5)


def fetched(content_type: str | None) -> Fetched:
    return Fetched(exchange(200), b"", content_type)


def rejected(status: int, retry_after_s: float | None = None) -> Rejected:
    return Rejected(exchange(status), retry_after_s)


def failed(failure: Failure) -> Failed:
    return Failed(URL, failure, "no luck", 5)


def redirected(target: str | None) -> Redirected:
    return Redirected(exchange(301), "x", target)


def decided(outcome, attempts: int = 0, last_reason: str | None = None):
    return decide(outcome, attempts=attempts, max_attempts=3, jitter=0.0, last_reason=last_reason)


@pytest.mark.parametrize(
    ("outcome", "decision"),
    [
        (fetched("text/html; charset=utf-8"), Keep()),
        (fetched("application/xhtml+xml"), Keep()),
        (fetched("TEXT/HTML"), Keep()),
        (fetched(None), Keep()),
        (fetched(""), Keep()),
        (fetched("application/pdf"), Dead("unsupported_content_type")),
        (fetched("text/plain"), Dead("unsupported_content_type")),
        (NotModified(exchange(304)), Confirm()),
        (redirected("http://b.test/"), Move("http://b.test/", 301)),
        (redirected(None), Dead("invalid_redirect")),
        (rejected(404), Dead("not_found")),
        (rejected(410), Dead("gone")),
        (rejected(400), Dead("unexpected_status_400")),
        (rejected(418), Dead("unexpected_status_418")),
        (rejected(300), Dead("unexpected_status_300")),
        (failed(Failure.TOO_LARGE), Dead("too_large")),
        (failed(Failure.HEADERS_TOO_LARGE), Dead("headers_too_large")),
        (Refused(URL, Refusal.BLOCKED_ADDRESS, "private"), Dead("blocked_address")),
        (Refused(URL, Refusal.INVALID_URL, "odd"), Dead("invalid_url")),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, Dead) else value.reason,
)
def test_what_is_clear_at_once(outcome, decision):
    assert decided(outcome) == decision


@pytest.mark.parametrize(
    ("outcome", "reason", "last"),
    [
        (rejected(500), "http_500", "max_retries:http_500"),
        (rejected(503), "http_503", "max_retries:http_503"),
        (rejected(599), "http_599", "max_retries:http_599"),
        (rejected(401), "forbidden", "forbidden"),
        (rejected(403), "forbidden", "forbidden"),
        (rejected(451), "forbidden", "forbidden"),
        (failed(Failure.TIMEOUT), "timeout", "max_retries:timeout"),
        (failed(Failure.DNS), "dns_failure", "max_retries:dns_failure"),
        (failed(Failure.RESET), "connection_reset", "max_retries:connection_reset"),
        (failed(Failure.CERTIFICATE_EXPIRED), "certificate_expired", "max_retries:certificate_expired"),
        (failed(Failure.BAD_ENCODING), "bad_content_encoding", "max_retries:bad_content_encoding"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_may_pass_is_tried_three_times(outcome, reason, last):
    decisions = [decided(outcome, attempts) for attempts in range(3)]

    assert decisions == [Retry(reason, 60.0, 1), Retry(reason, 120.0, 2), Dead(last, 3)]


@pytest.mark.parametrize("attempts", [0, 2, 50])
def test_too_many_requests_costs_a_page_no_attempt(attempts):
    assert decided(rejected(429), attempts) == Retry("http_429", 60.0, attempts)


def test_each_further_429_waits_longer_and_the_twelfth_is_the_last():
    reason, waits = None, []
    while isinstance(decision := decided(rejected(429), 2, reason), Retry):
        reason = decision.reason
        waits.append(decision.wait_s / 60)
        assert decision.attempts == 2

    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 480, 480]
    assert reason == "http_429 (11 times)"
    assert decision == Dead("max_retries:http_429")


@pytest.mark.parametrize(
    "reason", [None, "http_503", "http_429 times", "http_429 (x times)", "robots_blocked"]
)
def test_another_reason_starts_the_count_of_429_anew(reason):
    assert decided(rejected(429), 0, reason) == Retry("http_429", 60.0, 0)


@pytest.mark.parametrize(("asked_s", "waits_s"), [(None, 60), (5, 60), (600, 600), (10**9, 86_400)])
@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_may_make_a_wait_longer_up_to_a_day(status, asked_s, waits_s):
    assert decided(rejected(status, asked_s)).wait_s == waits_s


@pytest.mark.parametrize(
    ("outcome", "health"),
    [
        (fetched("text/html"), Health.GOOD),
        (fetched("application/pdf"), Health.GOOD),
        (NotModified(exchange(304)), Health.GOOD),
        (redirected("http://b.test/"), Health.GOOD),
        (rejected(500), Health.BAD),
        (rejected(503), Health.BAD),
        (rejected(404), Health.NEUTRAL),
        (rejected(403), Health.NEUTRAL),
        (rejected(429), Health.NEUTRAL),
        (failed(Failure.TIMEOUT), Health.BAD),
        (failed(Failure.DNS), Health.BAD),
        *((failed(failure), Health.BAD) for failure in sorted(TLS_FAILURES)),
        (failed(Failure.PROTOCOL), Health.BAD),
        (failed(Failure.TOO_LARGE), Health.NEUTRAL),
        (failed(Failure.BAD_ENCODING), Health.NEUTRAL),
        (Refused(URL, Refusal.BLOCKED_ADDRESS, "private"), Health.NEUTRAL),
    ],
    ids=str,
)
def test_what_an_outcome_says_about_the_host(outcome, health):
    assert health_of(outcome) is health


@pytest.mark.parametrize("failure", Failure)
def test_only_broken_connections_are_tried_again_within_a_visit(failure):
    broken = {
        Failure.RESET,
        Failure.REFUSED,
        Failure.TIMEOUT,
        Failure.UNREACHABLE,
        Failure.SHORT_BODY,
        Failure.PROXY,
    }

    assert is_retried_at_once(failed(failure)) is (failure in broken)


@pytest.mark.parametrize("status", [404, 429, 500, 503])
def test_an_answer_is_not_tried_again_within_a_visit(status):
    assert not is_retried_at_once(rejected(status))


@pytest.mark.parametrize("failure", Failure)
def test_every_failure_has_a_decision_and_a_name(failure):
    outcome = failed(failure)

    assert isinstance(decided(outcome), Retry if failure.is_transient else Dead)
    assert name_of(outcome) == failure.value


@pytest.mark.parametrize(
    ("outcome", "name"),
    [
        (fetched("text/html"), "fetched"),
        (NotModified(exchange(304)), "not_modified"),
        (redirected(None), "redirected"),
        (rejected(404), "rejected"),
        (Refused(URL, Refusal.BLOCKED_ADDRESS, "private"), "blocked_address"),
    ],
)
def test_history_names_outcomes_in_one_word(outcome, name):
    assert name_of(outcome) == name
