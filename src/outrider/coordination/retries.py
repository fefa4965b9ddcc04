"""How often a lock is asked for, and how far apart. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retries:
    """`tries` attempts, `wait_s` apart; `spread_s` is the most that chance adds to a wait."""

    tries: int
    wait_s: float
    spread_s: float = 0.0

    def wait_after(self, attempt: int, chance: float) -> float | None:
        """Seconds to wait after an attempt, counted from 1; None after the last. `chance` is 0 to 1."""
        return None if attempt >= self.tries else self.wait_s + chance * self.spread_s


ONCE = Retries(1, 0.0)
TEN_TIMES = Retries(10, 0.1)
# Candidates that split the servers between them must not meet again at the same moment.
REDLOCK = Retries(3, 0.2, spread_s=0.05)
