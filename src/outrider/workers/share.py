"""How many hosts a worker leaves to others. Pure.

Who gives a host back knows that it is due and looks at once, while a worker without hosts looks about once a
second: with few hosts, one worker would keep nearly all of them.
"""

from collections.abc import Sequence
from math import ceil, inf

UNEVEN = 1.25  # times its share that a worker may hold before anyone minds
HOLD_BACK_S = 1.5  # longer than an idle worker sleeps
EVERY_S = 5.0  # hosts that nobody else wants are missed only now and then
LOOKS = 2  # in a row: what others say of themselves is a second old, and may be from before they had begun


class Share:
    """Now and then a worker that holds too many takes no more than its share, for as long as others need."""

    def __init__(self) -> None:
        self._most = inf
        self._until = self._again_at = -inf
        self._looks = 0
        self.will_grow = False  # somebody has hosts to spare: worth looking often

    def learn(self, mine: int, others: Sequence[int], now: float) -> None:
        """How many hosts each worker holds."""
        fair = ceil((mine + sum(others)) / (1 + len(others)))
        self.will_grow = UNEVEN * mine < fair and max(others, default=0) > UNEVEN * fair
        self._looks = self._looks + 1 if mine > UNEVEN * fair else 0
        if self._looks >= LOOKS and now >= self._again_at:
            self._most, self._until, self._again_at = fair, now + HOLD_BACK_S, now + EVERY_S

    def left(self, mine: int, now: float) -> float:
        """How many more to take."""
        return max(self._most - mine, 0) if now < self._until else inf
