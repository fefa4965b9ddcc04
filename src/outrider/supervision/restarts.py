"""When a child process that ended is started again, and when its supervisor gives up. Pure."""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
LONGEST_PAUSE_OF_STARTS_S = 60.0  # between processes that fail before they are ready
STEADY_S = 60.0  # a process that ran this long did not fail for the same reason as the last one
MOST_FAILURES = 8  # the poison guard parks a page after fewer crashes
MOST_FAILED_STARTS = 3  # of each process in a row: a start that failed three times fails again

_ENDED_FROM_OUTSIDE = frozenset({-signal.SIGKILL, -signal.SIGTERM})


class ProcessEnd(NamedTuple):
    """A process that ended on its own."""

    ran_s: float
    exit_code: int | None
    was_ready: bool = True  # False: it never began its work

    @property
    def has_failed_at_work(self) -> bool:
        """Whether the process ended its work by itself: one that was killed has not failed."""
        return self.was_ready and self.exit_code not in _ENDED_FROM_OUTSIDE


@dataclass(frozen=True, slots=True)
class Restarts:
    """The pause before the next start, and how many processes failed."""

    pause_s: float = FIRST_PAUSE_S
    failures: int = 0  # at work, since the last progress
    failed_starts: int = 0  # processes that ended in any way before one was ready

    @property
    def have_no_progress(self) -> bool:
        """Whether so many processes failed at work that the next would only fail, too."""
        return self.failures >= MOST_FAILURES

    def cannot_start(self, processes: int) -> bool:
        """Whether each of so many processes failed at its start again and again."""
        return self.failed_starts >= MOST_FAILED_STARTS * processes

    def after(self, ends: Sequence[ProcessEnd]) -> "Restarts":
        """The state after processes ended at the same time. Each time doubles the pause."""
        failed_starts = self.failed_starts + sum(not end.was_ready for end in ends)
        longest_s = LONGEST_PAUSE_OF_STARTS_S if failed_starts else LONGEST_PAUSE_S
        is_steady = all(end.ran_s > STEADY_S for end in ends)
        pause_s = FIRST_PAUSE_S if is_steady else min(self.pause_s * 2, longest_s)
        return Restarts(pause_s, self.failures + sum(end.has_failed_at_work for end in ends), failed_starts)

    def after_start(self) -> "Restarts":
        """The state after a process was ready: the code of the processes can run."""
        if not self.failed_starts:
            return self
        return Restarts(min(self.pause_s, LONGEST_PAUSE_S), self.failures)

    def after_progress(self) -> "Restarts":
        """The state after results were written: failures do not count."""
        return Restarts(self.pause_s, 0, self.failed_starts) if self.failures else self

    def while_away(self) -> "Restarts":
        """The state while the database is away: no failure counts."""
        return Restarts(self.pause_s)
