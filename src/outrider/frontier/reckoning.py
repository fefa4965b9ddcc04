"""Notices when the database's clock jumps: a laptop was asleep, or somebody set the time.

Leases and pauses end by that clock, so after a jump ahead they all seem to be over while their holders still
work. Every worker reckons by its own monotonic clock, which does not jump, what the database's should show.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

TOLERANCE = timedelta(seconds=1)
SETTLING_S = 10.0  # by then every worker that lives has noticed and holds its hosts anew
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Look:
    """What the database's clock showed at some moment between asking and being told."""

    shown: datetime
    asked_at: float
    told_at: float


class Reckoning:
    """The last look at the database's clock. All other times are monotonic."""

    def __init__(self) -> None:
        self._last: _Look | None = None
        self._settled_at = 0.0

    def observe(self, shown: datetime, asked_at: float, told_at: float) -> bool:
        """Look at the clock; True when it jumped since the last look."""
        last, self._last = self._last, _Look(shown, asked_at, told_at)
        if last is None:
            return False
        passed = shown - last.shown
        least, most = asked_at - last.told_at, told_at - last.asked_at
        has_jumped = not timedelta(seconds=least) - TOLERANCE < passed < timedelta(seconds=most) + TOLERANCE
        if has_jumped:
            self._settled_at = told_at + SETTLING_S
        return has_jumped

    def latest(self, now: float) -> datetime | None:
        """The latest that it can be; long past while nothing can be said, None before the first look."""
        if self._last is None:
            return None
        if now < self._settled_at:
            return _NEVER
        return self._last.shown + timedelta(seconds=now - self._last.asked_at) + TOLERANCE
