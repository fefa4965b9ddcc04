"""The robots.txt rules that this worker has in memory, by origin; evicted rules are read again."""

import time
from collections import OrderedDict
from collections.abc import Mapping

from outrider.robots.store import CachedRules


class RobotsCache:
    """A small cache of rules; expired rules count as missing."""

    def __init__(self, capacity: int = 5_000) -> None:
        self._capacity = capacity
        self._held: OrderedDict[str, CachedRules] = OrderedDict()

    def find(self, origin: str) -> CachedRules | None:
        held = self._held.get(origin)
        if held is None or held.expires <= time.monotonic():
            return None
        self._held.move_to_end(origin)
        return held

    def last_known(self, origin: str) -> CachedRules | None:
        """The cached rules, expired or not, to see whether new ones differ."""
        return self._held.get(origin)

    def put(self, rules: Mapping[str, CachedRules]) -> None:
        for origin, held in rules.items():
            self._held[origin] = held
            self._held.move_to_end(origin)
        while len(self._held) > self._capacity:
            self._held.popitem(last=False)
