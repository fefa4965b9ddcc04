"""When a process applies for leadership, renews it and steps down. Pure: moments are seconds of one clock."""

from dataclasses import dataclass, replace
from enum import Enum, auto

from outrider.coordination.options import CoordinationOptions


class ElectionStep(Enum):
    """What a process does next."""

    WAIT = auto()
    APPLY = auto()
    RENEW = auto()
    STEP_DOWN = auto()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a process stands in an election. `ends_at` is None for a candidate."""

    next_at: float = 0.0  # of the next attempt or renewal
    ends_at: float | None = None  # the process is no leader from then on, whatever the servers say

    def is_leading(self, now: float) -> bool:
        return self.ends_at is not None and now < self.ends_at

    def step(self, now: float) -> ElectionStep:
        if self.ends_at is not None and now >= self.ends_at:
            return ElectionStep.STEP_DOWN
        if now < self.next_at:
            return ElectionStep.WAIT
        return ElectionStep.APPLY if self.ends_at is None else ElectionStep.RENEW

    def wait_s(self, now: float) -> float:
        """Seconds until there is something to do."""
        wake_at = self.next_at if self.ends_at is None else min(self.next_at, self.ends_at)
        return max(0.0, wake_at - now)


def elected(asked_at: float, ends_at: float, options: CoordinationOptions) -> Standing:
    """After a gain or a renewal that was asked for at `asked_at`."""
    return Standing(asked_at + options.renew_s, ends_at)


def not_renewed(standing: Standing, now: float, options: CoordinationOptions) -> Standing:
    """After a renewal without an answer: the leadership goes on to its end, and the renewal is repeated."""
    return replace(standing, next_at=now + min(options.retry_s, options.renew_s))


def not_elected(now: float, options: CoordinationOptions) -> Standing:
    """After an attempt that failed, and after a loss."""
    return Standing(now + options.retry_s)
