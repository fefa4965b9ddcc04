"""The links of a page as they are spelled there.

They stay bytes as long as possible: nearly all of them are known, and are compared, counted and stored
without a text for each.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress

_END = b"\0"  # behind each link; no page has it in a link


@dataclass(slots=True)
class Hrefs:
    """Different links in the order of the page."""

    encoded: bytes = b""  # in UTF-8, each with a zero behind it
    size: int = 0
    nofollow: bytes = b""  # a byte for each link, 1 if every mention of it says nofollow; empty if none is

    @classmethod
    def of(cls, links: Mapping[str, bool]) -> "Hrefs":
        """From links with whether each is nofollow."""
        encoded = "".join(f"{href}\0" for href in links).encode("utf-8", "surrogatepass")
        return cls(encoded, len(links), bytes(links.values()) if any(links.values()) else b"")

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[str]:
        return iter(texts_of(self.encoded))

    def with_nofollow(self) -> dict[str, bool]:
        """The links with whether each is nofollow."""
        if not self.nofollow:
            return dict.fromkeys(self, False)
        return dict(zip(self, map(bool, self.nofollow), strict=True))

    def followed(self) -> "Hrefs":
        """Those that are not nofollow."""
        if not self.nofollow:
            return self
        return Hrefs.of(dict.fromkeys(compress(self, (not each for each in self.nofollow)), False))

    def behind(self, first: Mapping[str, bool], left_out: Iterable[str]) -> "Hrefs":
        """These links behind those of `first`, each once, and without those that are left out.

        None of these links may be nofollow.
        """
        fenced, size = _END + self.encoded, self.size
        for href in (*first, *left_out):
            link = _END + href.encode("utf-8", "surrogatepass") + _END
            if link in fenced:
                fenced = fenced.replace(link, _END, 1)
                size -= 1
        ahead = Hrefs.of(first)
        return Hrefs(ahead.encoded + fenced[1:], ahead.size + size)


def texts_of(encoded: bytes) -> list[str]:
    """The texts of links, each with a zero behind it."""
    texts = encoded.decode("utf-8", "surrogatepass").split("\0")
    texts.pop()  # behind the last zero
    return texts
