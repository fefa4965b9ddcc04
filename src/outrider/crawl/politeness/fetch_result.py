"""The result of a single fetch. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from outrider.crawl.decide import Dead, Retry, decide
from outrider.crawl.robots.file import RobotsFile
from outrider.fetch import Failed, Fetched, Hop, NotModified, Outcome, Redirected, Refused, Rejected


class FetchEnding(StrEnum):
    """How a single fetch ended."""

    FETCHED = "fetched"  # a 2xx with its whole body
    NOT_MODIFIED = "not_modified"
    REDIRECTED = "redirected"  # and not followed further: `reason` says why
    REJECTED = "rejected"  # any other status
    FAILED = "failed"  # no usable answer
    REFUSED = "refused"  # not requested: a forbidden address, or a host that asks for a long delay
    ROBOTS_BLOCKED = "robots_blocked"


class NoRequestReason(StrEnum):
    """Why a single fetch makes no request, where a crawl would wait and try again."""

    DELAY_TOO_LONG = "delay_too_long"
    ROBOTS_UNREACHABLE = "robots_unreachable"


@dataclass(frozen=True, slots=True)
class FetchResult:
    """The result. `outcome` is the last answer, None when robots.txt forbids the request."""

    ending: FetchEnding
    url: str  # the last address, requested or forbidden
    elapsed_ms: int  # of the URL and its hops, without robots.txt and the pauses between requests
    reason: str | None = None
    message: str | None = None  # the reason in words, where there is more to say
    hops: tuple[Hop, ...] = ()
    outcome: Outcome | None = None
    robots: Mapping[str, RobotsFile] = field(default_factory=dict)  # by origin, as far as requested

    @property
    def is_ok(self) -> bool:
        return self.ending in (FetchEnding.FETCHED, FetchEnding.NOT_MODIFIED)

    @property
    def status(self) -> int | None:
        match self.outcome:
            case Failed(status=status):
                return status
            case None | Refused():
                return None
            case answered:
                return answered.exchange.status

    @property
    def headers(self) -> Mapping[str, str]:
        match self.outcome:
            case None | Failed() | Refused():
                return {}
            case answered:
                return answered.exchange.headers

    @property
    def body(self) -> bytes:
        return self.outcome.body if isinstance(self.outcome, Fetched) else b""


def reason_of(outcome: Outcome) -> str | None:
    """The machine-readable reason of an answer without a page; None for a page."""
    match outcome:
        case Fetched() | NotModified():
            return None
        case Failed(failure=failure):
            return failure
        case Refused(refusal=refusal):
            return refusal
        case _:
            match decide(outcome, attempts=0, max_attempts=2, jitter=0):
                case Dead(reason=reason) | Retry(reason=reason):
                    return reason
                case _:
                    return None


def ending_of(outcome: Outcome) -> tuple[FetchEnding, str | None]:
    """How a fetch ends with this answer, and the message of the answer."""
    match outcome:
        case Fetched():
            return FetchEnding.FETCHED, None
        case NotModified():
            return FetchEnding.NOT_MODIFIED, None
        case Redirected(why=why):
            return FetchEnding.REDIRECTED, why
        case Rejected():
            return FetchEnding.REJECTED, None
        case Failed(message=message):
            return FetchEnding.FAILED, message
        case Refused(message=message):
            return FetchEnding.REFUSED, message


def elapsed_ms_of(outcome: Outcome) -> int:
    """How long the request took."""
    match outcome:
        case Refused():
            return 0
        case Failed(elapsed_ms=elapsed_ms):
            return elapsed_ms
        case answered:
            return answered.exchange.elapsed_ms
