"""The set of recently confirmed URLs, so that the links every page repeats never reach the database.

A hit proves that the row exists (or that the crawl's rules refuse the address), because keys
are added only after the commit, and all are forgotten when a commit finds that rows may have gone.
Or the row is in a batch that will be committed no later than the page that asks: pages of one batch
tend to show the same links.
A miss costs a look-up, nothing else; so forgetting is safe, and the set is bounded: when the
young half is full it becomes the old half.
"""

from collections.abc import Iterable

REFUSED = 99  # higher than any priority: asking again is never worth it


class SeenUrls:
    """Keys with the best priority they were confirmed at."""

    def __init__(self, capacity: int = 400_000) -> None:
        self._half = max(capacity // 2, 1)
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}
        self._expected: dict[str, int] = {}  # from the batch that is being collected
        self._going: dict[str, int] = {}  # and from the one that is being written

    def unknown(self, keys: Iterable[str], priority: int) -> list[str]:
        """Those that are not known at this priority or better."""
        young = self._young
        # Nearly all links of a page end here, so this line is what recognising them costs.
        return [key for key in keys if young.get(key, 0) < priority and not self._recalls(key, priority)]

    def _recalls(self, key: str, priority: int) -> bool:
        """Whether the old half knows better; what is asked for is young again. Or a batch does."""
        known = self._old.get(key, 0)
        if known > self._young.get(key, 0):
            self._put(key, known)
        return max(known, self._expected.get(key, 0), self._going.get(key, 0)) >= priority

    def expect(self, keys: Iterable[tuple[str, int]]) -> None:
        """They are in the batch that is being collected."""
        self._expected.update(keys)

    def let_go(self) -> None:
        """That batch goes to the database. Batches go one by one: the one before has been committed."""
        self._going, self._expected = self._expected, {}

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
