"""The robots.txt rules this worker has at hand, by origin; what is evicted is read from the database."""

import time
from collections import OrderedDict
from collections.abc import Mapping

from outrider.robots.store import Held


class RobotsCache:
    """A small cache of rules; an expired one counts as missing."""

    def __init__(self, capacity: int = 5_000) -> None:
        self._capacity = capacity
        self._held: OrderedDict[str, Held] = OrderedDict()

    def find(self, origin: str) -> Held | None:
        held = self._held.get(origin)
        if held is None or held.expires <= time.monotonic():
            return None
        self._held.move_to_end(origin)
        return held

    def last_known(self, origin: str) -> Held | None:
        """What the rules were, expired or not: to see whether fresh ones differ."""
        return self._held.get(origin)

    def put(self, rules: Mapping[str, Held]) -> None:
        for origin, held in rules.items():
            self._held[origin] = held
            self._held.move_to_end(origin)
        while len(self._held) > self._capacity:
            self._held.popitem(last=False)
