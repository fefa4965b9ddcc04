"""The words of host care: how a host is doing, and what we do about it."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

NO_PAUSE = timedelta(0)
MOST_COUNTED = 32_767  # that a smallint column holds


class BreakerState(StrEnum):
    """Whether we still talk to a host (BRK-01)."""

    CLOSED = "closed"  # all is well
    OPEN = "open"  # resting; nothing is claimed until the pause is over
    HALF_OPEN = "half_open"  # trying again, one request at a time


class Health(StrEnum):
    """What one request says about the host, which is not what it says about the page (BRK-04).

    Network errors, timeouts and 5xx are BAD. A 404, a 429, a robots denial or a page we
    could not read are NEUTRAL: they are answers, or no question was asked.
    """

    GOOD = "good"
    BAD = "bad"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class HostState:
    """What is remembered of a host between two requests.

    The delay it asked for and the penalty it earned are kept apart, so that a fresh
    robots.txt replaces the one without forgetting the other (CLM-11).
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
    """The host as it is now, and how long to leave it alone beyond its usual delay."""

    state: HostState
    pause: timedelta = NO_PAUSE
