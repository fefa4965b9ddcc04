"""How many hosts a worker leaves to others. Pure.

A worker that releases a host knows when it is due and claims it at once, while a worker without hosts claims
about once a second. So with few hosts, one worker would keep nearly all of them.
"""

from collections.abc import Sequence
from math import ceil, inf

UNEVEN = 1.25  # a worker that holds more than this times its share holds too many
HOLD_BACK_S = 1.5  # longer than an idle worker sleeps
EVERY_S = 5.0  # between two limits, because hosts may stay unclaimed when no other worker needs them
LOOKS = 2  # readings in a row above the share: the figures of other workers are a second old


class FairShare:
    """Limits a worker that holds too many hosts to its share for a short time, so that others can claim."""

    def __init__(self) -> None:
        self._most = inf
        self._until = self._again_at = -inf
        self._looks = 0
        self.will_grow = False  # another worker holds too many hosts: claim often

    def learn(self, mine: int, others: Sequence[int], now: float) -> None:
        """Take over how many hosts each worker holds."""
        fair = ceil((mine + sum(others)) / (1 + len(others)))
        self.will_grow = UNEVEN * mine < fair and max(others, default=0) > UNEVEN * fair
        self._looks = self._looks + 1 if mine > UNEVEN * fair else 0
        if self._looks >= LOOKS and now >= self._again_at:
            self._most, self._until, self._again_at = fair, now + HOLD_BACK_S, now + EVERY_S

    def left(self, mine: int, now: float) -> float:
        """How many more hosts this worker may claim."""
        return max(self._most - mine, 0) if now < self._until else inf
