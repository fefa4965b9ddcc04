"""When a delivery is sent again, and when it is given up. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from outrider.fetch.outcome import Failed, Fetched, Outcome, Redirected, Refusal, Refused, Rejected

# The waits after each failed attempt: about two days in all.
WAITS = tuple(timedelta(seconds=seconds) for seconds in (60, 300, 1_800, 7_200, 21_600, 43_200, 86_400))
MOST_ATTEMPTS = len(WAITS) + 1
LONGEST_WHY = 300
_GONE = 410


@dataclass(frozen=True, slots=True)
class Delivered:
    """The system of the owner accepted the delivery."""

    status: int


@dataclass(frozen=True, slots=True)
class SendAgain:
    """The delivery failed and is sent again."""

    at: datetime
    status: int | None
    why: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The delivery is not sent again."""

    status: int | None
    why: str


DeliveryResult = Delivered | SendAgain | GivenUp


def result_of(outcome: Outcome, attempts: int, now: datetime) -> DeliveryResult:
    """What follows from the answer to attempt number `attempts`. Any answer of 2xx is an acceptance."""
    status: int | None
    asked_s: float | None = None
    is_final = False
    match outcome:
        case Fetched(exchange=exchange):
            return Delivered(exchange.status)
        case Rejected(exchange=exchange, retry_after_s=asked_s):
            status, why = exchange.status, f"the webhook answers {exchange.status}"
            is_final = exchange.status == _GONE
        case Redirected(exchange=exchange):
            status, why = (
                exchange.status,
                f"the webhook answers {exchange.status}: redirects are not followed",
            )
        case Failed(status=status, message=message):
            why = message
        case Refused(refusal=refusal, message=message):
            status, why, is_final = None, message, refusal is not Refusal.NO_CONTACT
        case answered:
            status = answered.exchange.status
            why = f"the webhook answers {status}"
    why = why[:LONGEST_WHY]
    if is_final or attempts >= MOST_ATTEMPTS:
        return GivenUp(status, why)
    wait = max(WAITS[attempts - 1], timedelta(seconds=min(asked_s or 0.0, 86_400.0)))
    return SendAgain(now + wait, status, why)
