"""How long a user name or an address waits after failed logins. Pure.

A name waits a minute at most: otherwise a stranger could lock its owner out for long. An address waits up to
15 minutes, and has more attempts, because many people can share one.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

FORGOTTEN = timedelta(minutes=15)  # without a failure for so long, the count begins anew


@dataclass(frozen=True, slots=True)
class ThrottlePolicy:
    """How many failures are free, and the longest wait after those."""

    free: int
    longest: timedelta


BY_NAME = ThrottlePolicy(free=5, longest=timedelta(minutes=1))
BY_ADDRESS = ThrottlePolicy(free=20, longest=timedelta(minutes=15))


@dataclass(frozen=True, slots=True)
class ThrottleState:
    """The recent failures of one name or address."""

    failures: int
    last_failed_at: datetime
    blocked_until: datetime


def wait_after(failures: int, policy: ThrottlePolicy) -> timedelta:
    """One second after the first failure that is not free, doubled by each further one."""
    beyond = failures - policy.free
    if beyond <= 0:
        return timedelta()
    return min(timedelta(seconds=2 ** min(beyond - 1, 30)), policy.longest)


def wait_now(state: ThrottleState | None, now: datetime) -> timedelta:
    """How long the next attempt has to wait."""
    return timedelta() if state is None else max(timedelta(), state.blocked_until - now)


def count_attempt(state: ThrottleState | None, now: datetime, policy: ThrottlePolicy) -> ThrottleState:
    """The state after an attempt. It counts as failed until it succeeds, so that attempts at once count."""
    is_recent = state is not None and now - state.last_failed_at < FORGOTTEN
    failures = state.failures + 1 if state is not None and is_recent else 1
    return ThrottleState(failures, now, now + wait_after(failures, policy))
