"""When a child process that ended is started again, and when its supervisor gives up. Pure."""

import signal
from dataclasses import dataclass

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
STEADY_S = 60.0  # a process that ran this long did not fail for the same reason as the last one
MOST_FAILURES = 8  # the poison guard parks a page after fewer crashes

_ENDED_FROM_OUTSIDE = frozenset({-signal.SIGKILL, -signal.SIGTERM})


@dataclass(frozen=True, slots=True)
class Restarts:
    """The pause before the next start, and how many processes failed since the last progress."""

    pause_s: float = FIRST_PAUSE_S
    failures: int = 0

    @property
    def are_hopeless(self) -> bool:
        """Whether another start would only fail again."""
        return self.failures >= MOST_FAILURES

    def after(self, ran_s: float, exit_code: int | None) -> "Restarts":
        """The state after a process ended on its own. A killed process does not count as failed."""
        pause_s = FIRST_PAUSE_S if ran_s > STEADY_S else min(self.pause_s * 2, LONGEST_PAUSE_S)
        is_failure = exit_code not in _ENDED_FROM_OUTSIDE
        return Restarts(pause_s, self.failures + is_failure)

    def after_progress(self) -> "Restarts":
        """The state after results were written, or while the database is away: failures do not count."""
        return Restarts(self.pause_s) if self.failures else self
