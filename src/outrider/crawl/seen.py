"""The set of recently confirmed URLs, so that the links every page repeats never reach the database.

A hit proves that the row exists (or that the crawl's rules refuse the address), because keys
are added only after the commit, and the set is cleared when a commit finds that rows may be deleted.
A hit may also come from a batch that is committed no later than the page with the link: pages of one
batch tend to have the same links.
A miss costs a look-up, nothing else. So forgetting is safe, and the set is bounded: when the
young half is full it becomes the old half.

Links that were confirmed in the same spelling before are recognised without their keys being made: see
`spellings.py`.
"""

from collections.abc import Iterable, Mapping, Sequence

from outrider.crawl.spellings import spellings
from outrider.hrefs import Hrefs

REFUSED = 99  # higher than any priority: no later look-up can beat it


class SeenUrls:
    """Confirmed keys, each with its best confirmed priority."""

    def __init__(self, capacity: int = 400_000) -> None:
        self._half = max(capacity // 2, 1)
        self._spellings = spellings(max(capacity // 4, 1))
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}
        self._expected: dict[str, int] = {}  # keys in the batch that is being collected
        self._writing: dict[str, int] = {}  # keys in the batch that is being written

    def unrecognised(self, places: tuple[str, str], links: Hrefs, priority: int) -> list[str]:
        """The links that are not known in this spelling, at this priority or better.

        Links that begin with a slash are looked up by the first place, others by the second.
        """
        return self._spellings.unrecognised(places, links, priority)

    def confirmed(self, hrefs: Mapping[str, str], priority: int) -> list[str]:
        """Of links given by their keys, those whose keys are confirmed at this priority or better."""
        young = self._young
        return [href for key, href in hrefs.items() if young.get(key, 0) >= priority]

    def recognise(self, place: str, hrefs: Sequence[str], priority: int) -> None:
        """Remember the spelling of links that `confirmed` returned for this priority."""
        if hrefs:
            self._spellings.recognise(place, hrefs, priority)

    def unknown(self, keys: Iterable[str], priority: int) -> list[str]:
        """The keys that are not known at this priority or better."""
        young, expected, writing = self._young, self._expected, self._writing
        unknown = [key for key in keys if young.get(key, 0) < priority]
        if self._old:
            unknown = [key for key in unknown if self._old_priority(key) < priority]
        return [key for key in unknown if expected.get(key, 0) < priority and writing.get(key, 0) < priority]

    def _old_priority(self, key: str) -> int:
        """The priority of a key in the old half, or 0; a hit moves to the young half."""
        known = self._old.get(key, 0)
        if known > self._young.get(key, 0):
            self._put(key, known)
        return known

    def expect(self, keys: Iterable[tuple[str, int]]) -> None:
        """Add keys that are in the batch that is being collected."""
        self._expected.update(keys)

    def begin_write(self) -> None:
        """The collected batch is being written now; the batch before it has been committed."""
        self._writing, self._expected = self._expected, {}

    def add(self, keys: Iterable[tuple[str, int]]) -> None:
        for key, priority in keys:
            if priority > self._young.get(key, 0):
                self._put(key, priority)

    def forget(self) -> None:
        self._young, self._old = {}, {}
        self._spellings.forget()

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def _put(self, key: str, priority: int) -> None:
        if len(self._young) >= self._half:
            self._old, self._young = self._young, {}
        self._young[key] = priority
