"""The types of the host policy: the state of a host, and the reaction to an outcome."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

NO_PAUSE = timedelta(0)
MOST_COUNTED = 32_767  # the greatest value of a smallint column


class BreakerState(StrEnum):
    """Whether requests to a host are allowed (BRK-01)."""

    CLOSED = "closed"  # all is well
    OPEN = "open"  # resting; nothing is claimed until the pause is over
    HALF_OPEN = "half_open"  # trying again, one request at a time


class Health(StrEnum):
    """What one request says about the host, not about the page (BRK-04).

    Network errors, timeouts and 5xx are BAD. A 404, a 429 or an unreadable page is NEUTRAL because the host
    answered; a robots denial is NEUTRAL because no request was made.
    """

    GOOD = "good"
    BAD = "bad"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class HostState:
    """The state of a host between two requests.

    The delay that the host asks for and its penalty are separate, so that a new robots.txt replaces the
    delay and keeps the penalty (CLM-11).
    """

    delay_ms: int = 1_000
    penalty_ms: int = 0
    calm: int = 0  # successes since the penalty last changed
    rate_limited: int = 0  # answers of 429 in a row
    breaker: BreakerState = BreakerState.CLOSED
    failures: int = 0  # in a row
    trips: int = 0  # times the breaker opened since it was last closed
    probes_ok: int = 0  # successes since it half-opened
    robots_failures: int = 0  # in a row


class Reaction(NamedTuple):
    """The new state of a host, and a pause in addition to its usual delay."""

    state: HostState
    pause: timedelta = NO_PAUSE
