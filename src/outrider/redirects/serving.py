"""The redirects of a site in memory, as a middleware asks them for every request. Pure.

An entry is the value of `Location` for a 301, or a pair of code and location for any other answer. A path
that has no entry has no redirect: nothing else is asked.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from outrider.redirects.model import GONE, PERMANENT
from outrider.redirects.target import location
from outrider.sites.paths import PathRules, decoded, for_header, stored

Entry = str | tuple[int, str | None]
Row = tuple[
    str, str | None, int | None
]  # source and target in stored form, and the code; None: it is removed


@dataclass(frozen=True, slots=True)
class RedirectAnswer:
    """What a visitor gets instead of the page. `key` is the source of the redirect, None for a spelling."""

    status: int
    location: str | None
    key: str | None


class ServingTable:
    """Redirects by decoded path. Updates may come from another thread while requests are answered."""

    __slots__ = ("_entries", "_targets", "bot_words", "rules", "version")

    def __init__(
        self, rules: PathRules, version: int, rows: Iterable[Row] = (), bot_words: tuple[str, ...] = ()
    ) -> None:
        self.rules = rules
        self.version = version
        self.bot_words = bot_words  # of the settings of the site: programs, whose views do not count
        self._entries: dict[str, Entry] = {}
        self._targets: dict[str, str] = {}  # many redirects lead to the same place
        self._add(rows)

    def __len__(self) -> int:
        return len(self._entries)

    def update(self, rows: Iterable[Row], version: int) -> None:
        """Apply changes. What is removed goes first, so that no visitor meets a loop meanwhile."""
        changed = list(rows)
        for path, _, status in changed:
            if status is None:
                self._entries.pop(decoded(path), None)
        self._add(changed)
        self.version = version

    def answer(self, path: str, query: str, raw_path: bytes | None = None) -> RedirectAnswer | None:
        """The answer for a decoded path; None lets the application answer."""
        key = self.rules.key(path)
        entry = self._entries.get(key)
        if entry is None:
            # A path that needs no other spelling, or whose slashes have a meaning, is left alone.
            if key == path or "//" in path or not path or (raw_path and b"%2f" in raw_path.lower()):
                return None
            return RedirectAnswer(PERMANENT, location(for_header(stored(key)), query), None)
        if isinstance(entry, str):
            return RedirectAnswer(PERMANENT, location(entry, query), key)
        status, target = entry
        return RedirectAnswer(status, None if target is None else location(target, query), key)

    def _add(self, rows: Iterable[Row]) -> None:
        for path, target, status in rows:
            if status is not None:
                self._entries[decoded(path)] = self._entry(target, status)

    def _entry(self, target: str | None, status: int) -> Entry:
        if target is None or status == GONE:
            return GONE, None
        header = for_header(target)
        header = self._targets.setdefault(header, header)
        return header if status == PERMANENT else (status, header)
