"""The set of recently confirmed URLs, so that the links every page repeats never reach the database.

A hit proves that the row exists (or that the crawl's rules refuse the address), because keys
are added only after the commit, and all are forgotten when a commit finds that rows may have gone.
A miss costs a look-up, nothing else; so forgetting is safe, and the set is bounded: when the
young half is full it becomes the old half.
"""

from collections.abc import Iterable

REFUSED = 99  # higher than any priority: asking again is never worth it


class Seen:
    """Keys with the best priority they were confirmed at."""

    def __init__(self, capacity: int = 400_000) -> None:
        self._half = max(capacity // 2, 1)
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}

    def unknown(self, keys: Iterable[str], priority: int) -> list[str]:
        """Those that are not known at this priority or better."""
        young = self._young
        # Nearly all links of a page end here, so this line is what recognising them costs.
        return [key for key in keys if young.get(key, 0) < priority and not self._recalls(key, priority)]

    def _recalls(self, key: str, priority: int) -> bool:
        """Whether the old half knows better; what is asked for is young again."""
        known = self._old.get(key, 0)
        if known > self._young.get(key, 0):
            self._put(key, known)
        return known >= priority

    def add(self, keys: Iterable[tuple[str, int]]) -> None:
        for key, priority in keys:
            if priority > self._young.get(key, 0):
                self._put(key, priority)

    def forget(self) -> None:
        self._young, self._old = {}, {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def _put(self, key: str, priority: int) -> None:
        if len(self._young) >= self._half:
            self._old, self._young = self._young, {}
        self._young[key] = priority
