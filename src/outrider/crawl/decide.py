"""Decide what follows from an outcome: outcome and entry in, decision out. Pure."""

import re
from dataclasses import dataclass
from datetime import timedelta

from outrider.fetch.content import is_html
from outrider.fetch.outcome import (
    Failed,
    Failure,
    Fetched,
    NotModified,
    Outcome,
    Redirected,
    Refused,
    Rejected,
)
from outrider.fetch.tls_failures import TLS_FAILURES
from outrider.frontier.backoff import JITTER, LONGEST_RETRY, retry_in
from outrider.frontier.dead_reason import DeadReason, after_max_retries, unexpected_status
from outrider.frontier.retry_reason import http_status
from outrider.hosts.model import Health
from outrider.hosts.politeness import rate_limit_wait

FORBIDDEN = frozenset({401, 403, 451})
TOO_MANY_REQUESTS = 429
RATE_LIMITED = http_status(TOO_MANY_REQUESTS)
MOST_RATE_LIMITED = 12  # answers of 429 in a row to one entry, which take at least 24.5 hours
_SEVERAL_TIMES = re.compile(rf"{RATE_LIMITED} \(([0-9]{{1,4}}) times\)")


@dataclass(frozen=True, slots=True)
class Keep:
    """A page: extract it, keep it, follow its links."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """The server answered 304: the stored document is still current."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Try again later; `attempts` is the new attempt count of the entry."""

    reason: str
    wait_s: float
    attempts: int


@dataclass(frozen=True, slots=True)
class Dead:
    """Give the entry up, unless an operator requeues it; without `attempts` it keeps its attempt count."""

    reason: str
    attempts: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """The address redirects to `target`."""

    target: str
    status: int


Decision = Keep | Confirm | Retry | Dead | Move
_KEEP = Keep()  # for every page


def decide(
    outcome: Outcome, *, attempts: int, max_attempts: int, jitter: float, last_reason: str | None = None
) -> Decision:
    """Decide about an entry that has failed `attempts` times before, the last time for `last_reason`."""
    match outcome:
        case Fetched():
            return _KEEP if is_html(outcome.content_type) else Dead(DeadReason.UNSUPPORTED_CONTENT_TYPE)
        case NotModified():
            return Confirm()
        case Redirected(target=None):
            return Dead(DeadReason.INVALID_REDIRECT)
        case Redirected(target=target, exchange=exchange):
            return Move(str(target), exchange.status)
        case Rejected(exchange=exchange) if exchange.status == TOO_MANY_REQUESTS:
            return _rate_limited(last_reason, outcome.retry_after_s, attempts, jitter)
        case Rejected(exchange=exchange):
            return _rejected(exchange.status, outcome.retry_after_s, attempts, max_attempts, jitter)
        case Failed(failure=failure) if failure.is_transient:
            return _again(failure, attempts, max_attempts, None, jitter)
        case Failed(failure=failure):
            return Dead(DeadReason(failure.value))
        case Refused(refusal=refusal):
            return Dead(DeadReason(refusal.value))


def health_of(outcome: Outcome) -> Health:
    """What this outcome says about the health of the host, whatever it says about the page (BRK-04)."""
    match outcome:
        case Fetched() | NotModified() | Redirected():
            return Health.GOOD
        case Rejected(exchange=exchange):
            return Health.BAD if exchange.status >= 500 else Health.NEUTRAL
        case Failed(failure=failure):
            return Health.BAD if failure in _NETWORK else Health.NEUTRAL
        case Refused():
            return Health.NEUTRAL


def is_retried_at_once(outcome: Outcome) -> bool:
    """Whether the same fetch tries again: the connection broke before an answer (RTY-07, CON-15)."""
    return isinstance(outcome, Failed) and outcome.failure in _BROKEN


_BROKEN = frozenset(
    {Failure.RESET, Failure.REFUSED, Failure.TIMEOUT, Failure.UNREACHABLE, Failure.SHORT_BODY, Failure.PROXY}
)
_NETWORK = _BROKEN | TLS_FAILURES | {Failure.DNS, Failure.PROTOCOL}


def _rejected(
    status: int, retry_after_s: float | None, attempts: int, max_attempts: int, jitter: float
) -> Decision:
    if status == 404:
        return Dead(DeadReason.NOT_FOUND)
    if status == 410:
        return Dead(DeadReason.GONE)
    if status in FORBIDDEN:
        forbidden = DeadReason.FORBIDDEN
        return _again(forbidden, attempts, max_attempts, retry_after_s, jitter, last_word=forbidden)
    if status >= 500:
        return _again(http_status(status), attempts, max_attempts, retry_after_s, jitter)
    return Dead(unexpected_status(status))


def _rate_limited(
    last_reason: str | None, retry_after_s: float | None, attempts: int, jitter: float
) -> Decision:
    """A 429 is about the host and costs no attempt. Each one waits longer; the last allowed one is final."""
    times = times_rate_limited(last_reason) + 1
    if times >= MOST_RATE_LIMITED:
        return Dead(after_max_retries(RATE_LIMITED))
    wait_s = rate_limit_wait(times).total_seconds() + JITTER.total_seconds() * jitter
    asked_s = min(retry_after_s or 0.0, LONGEST_RETRY.total_seconds())
    reason = RATE_LIMITED if times == 1 else f"{RATE_LIMITED} ({times} times)"
    return Retry(reason, max(wait_s, asked_s), attempts)


def times_rate_limited(reason: str | None) -> int:
    """How many answers of 429 in a row the reason of a queued entry states."""
    if reason == RATE_LIMITED:
        return 1
    match = _SEVERAL_TIMES.fullmatch(reason or "")
    return int(match[1]) if match else 0


def _again(
    reason: str,
    attempts: int,
    max_attempts: int,
    retry_after_s: float | None,
    jitter: float,
    *,
    last_word: str | None = None,
) -> Decision:
    failed = attempts + 1
    if failed >= max_attempts:
        return Dead(last_word or after_max_retries(reason), failed)
    return Retry(reason, _wait_s(failed, retry_after_s, jitter), failed)


def _wait_s(failed: int, retry_after_s: float | None, jitter: float) -> float:
    asked = None if retry_after_s is None else timedelta(seconds=retry_after_s)
    return retry_in(failed, asked, jitter).total_seconds()
