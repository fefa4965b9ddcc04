"""The links that are confirmed as pages spell them, so that they are recognised without their keys.

Nearly all links of a page were confirmed in the same spelling before: on the same site or, written out, on
any. The compiled scan brings a set of its own, which looks up a link without an object of Python.
"""

from collections.abc import Iterable
from typing import Protocol

from outrider.extract.native.choice import loaded
from outrider.extract.native.library import Library, NativeSpellings
from outrider.hrefs import Hrefs, encoded_texts, texts_of


class Spellings(Protocol):
    """Links by place and priority: as pages there spell them, confirmed at this priority or better."""

    def unrecognised(self, places: tuple[str, str], links: Hrefs, priority: int) -> list[str]:
        """The unknown links: those that begin with a slash by the first place, others by the second."""

    def recognise(self, place: str, hrefs: Iterable[str], priority: int) -> None:
        """Add links that mean the same on all pages of a place."""

    def forget(self) -> None: ...


class PythonSpellings:
    """Sets of texts."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[tuple[str, int], set[str]] = {}
        self._count = 0

    def unrecognised(self, places: tuple[str, str], links: Hrefs, priority: int) -> list[str]:
        site, everywhere = (self._known.get((place, priority), ()) for place in places)
        return [href for href in links if href not in (site if href[0] == "/" else everywhere)]

    def recognise(self, place: str, hrefs: Iterable[str], priority: int) -> None:
        if self._count > self._most:
            self.forget()
        known = self._known.setdefault((place, priority), set())
        before = len(known)
        known.update(hrefs)
        self._count += len(known) - before

    def forget(self) -> None:
        self._known, self._count = {}, 0


class CompiledSpellings:
    """The set of the compiled scan. Place and priority are one number there."""

    def __init__(self, library: Library, most: int) -> None:
        self._library = library
        self._most = most
        self._known: NativeSpellings = library.spellings()
        self._count = 0

    def unrecognised(self, places: tuple[str, str], links: Hrefs, priority: int) -> list[str]:
        site, everywhere = places
        others = self._known.unrecognised(links.encoded, hash((site, priority)), hash((everywhere, priority)))
        return texts_of(others) if others else []

    def recognise(self, place: str, hrefs: Iterable[str], priority: int) -> None:
        if self._count > self._most:
            self.forget()
        self._count = self._known.recognise(encoded_texts(hrefs), hash((place, priority)))

    def forget(self) -> None:
        self._known, self._count = self._library.spellings(), 0


def spellings(most: int) -> Spellings:
    """An empty set of about so many links at most, compiled where the scan is."""
    library = loaded()
    return PythonSpellings(most) if library is None else CompiledSpellings(library, most)
