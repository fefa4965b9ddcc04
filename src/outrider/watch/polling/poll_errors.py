"""The errors of polls, and how long a channel rests after each."""

from collections.abc import Mapping
from dataclasses import dataclass

from outrider.described import DescribedName
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

HOUR_S = 3600.0
ALARMING = 10  # errors in a row from which polls log an error (FED-10)
FORBIDDEN = frozenset({401, 403, 451})


class PollError(DescribedName):
    """Why a poll failed (FED-11)."""

    RATE_LIMITED = "rate_limited", "the server asks for fewer requests (429)"
    FORBIDDEN = "forbidden", "the server refuses to show it (401, 403 or 451)"
    NOT_FOUND = "not_found", "there is nothing at this address (404)"
    GONE = "gone", "it was taken away (410)"
    UPSTREAM_FAILURE = "upstream_failure", "the server fails (5xx), or its redirects lead nowhere"
    NETWORK = "network", "no answer arrived"
    PARSE_ERROR = "parse_error", "what arrived cannot be read as a feed or sitemap"
    UNEXPECTED = "unexpected", "the server answers a status that a feed or sitemap should not have"

    @property
    def is_expected(self) -> bool:
        """Whether this error is common on the web, so that a warning is enough."""
        return self is not PollError.UNEXPECTED


@dataclass(frozen=True, slots=True)
class ErrorLimit:
    """After how many errors in a row a channel is disabled, and how long it then rests."""

    errors: int
    rest_s: float


TOLERANCE: Mapping[PollError, ErrorLimit] = {
    PollError.GONE: ErrorLimit(1, 72 * HOUR_S),
    PollError.NOT_FOUND: ErrorLimit(3, 48 * HOUR_S),
    PollError.FORBIDDEN: ErrorLimit(5, 24 * HOUR_S),
    PollError.PARSE_ERROR: ErrorLimit(5, 24 * HOUR_S),
    PollError.UPSTREAM_FAILURE: ErrorLimit(10, 6 * HOUR_S),
    PollError.NETWORK: ErrorLimit(10, 12 * HOUR_S),
}

# The answer arrived and cannot be read: too large, or not decodable.
_UNREADABLE = frozenset({Failure.BAD_ENCODING, Failure.TOO_LARGE, Failure.HEADERS_TOO_LARGE})


def error_of(outcome: Outcome) -> PollError | None:
    """The error of a poll with this outcome; None for a body to read, or a 304."""
    match outcome:
        case Fetched() | NotModified():
            return None
        case Rejected(exchange=exchange):
            return _of_status(exchange.status)
        case Failed(failure=failure):
            return PollError.PARSE_ERROR if failure in _UNREADABLE else PollError.NETWORK
        case Refused():
            return PollError.FORBIDDEN
        case Redirected():
            # The chain was followed to its end: a loop, too many hops, or an invalid address.
            return PollError.UPSTREAM_FAILURE


def _of_status(status: int) -> PollError:
    if status == 429:
        return PollError.RATE_LIMITED
    if status in FORBIDDEN:
        return PollError.FORBIDDEN
    if status == 404:
        return PollError.NOT_FOUND
    if status == 410:
        return PollError.GONE
    return PollError.UPSTREAM_FAILURE if status >= 500 else PollError.UNEXPECTED
