"""Detects jumps of the database's clock, after a laptop slept or the time was set.

Leases and pauses end by that clock, so after a jump ahead they all seem to be over while their workers still
run. Every worker computes the expected time from its own monotonic clock, which does not jump.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

TOLERANCE = timedelta(seconds=1)
SETTLING_S = 10.0  # by then every live worker has detected the jump and renewed its leases
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The database's clock, read at some moment between the request and the answer."""

    shown: datetime
    asked_at: float
    told_at: float


class ClockMonitor:
    """Compares readings of the database's clock. All other times are monotonic."""

    def __init__(self) -> None:
        self._last: _Reading | None = None
        self._settled_at = 0.0

    def observe(self, shown: datetime, asked_at: float, told_at: float) -> bool:
        """Add a reading; True when the clock jumped since the last one."""
        last, self._last = self._last, _Reading(shown, asked_at, told_at)
        if last is None:
            return False
        passed = shown - last.shown
        least, most = asked_at - last.told_at, told_at - last.asked_at
        has_jumped = not timedelta(seconds=least) - TOLERANCE < passed < timedelta(seconds=most) + TOLERANCE
        if has_jumped:
            self._settled_at = told_at + SETTLING_S
        return has_jumped

    def latest(self, now: float) -> datetime | None:
        """The latest possible time; long past after a jump, None before the first reading."""
        if self._last is None:
            return None
        if now < self._settled_at:
            return _NEVER
        return self._last.shown + timedelta(seconds=now - self._last.asked_at) + TOLERANCE
