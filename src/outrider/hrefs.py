"""The links of a page as they are spelled there.

They stay bytes as long as possible: nearly all of them are known, and are compared, counted and stored
without a text for each.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress
from operator import not_

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
        nofollow = bytes(links.values()) if any(links.values()) else b""
        return cls(encoded_texts(links), len(links), nofollow)

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
        links = compress(self.encoded.split(_END), map(not_, self.nofollow))
        encoded = b"".join(link + _END for link in links)
        return Hrefs(encoded, self.nofollow.count(0))

    def behind(self, first: Iterable[str], left_out: Iterable[str] = ()) -> "Hrefs":
        """These links behind others, which are not nofollow: each once, and none that is left out."""
        ahead = Hrefs.of(dict.fromkeys(first, False))
        fenced, nofollow = _END + self.encoded, self.nofollow
        for href in (*ahead, *left_out):
            link = _END + href.encode("utf-8", "surrogatepass") + _END
            at = fenced.find(link)
            if at >= 0:
                nth = fenced.count(_END, 0, at)
                nofollow = nofollow[:nth] + nofollow[nth + 1 :]
                fenced = fenced[:at] + fenced[at + len(link) - 1 :]
        size = fenced.count(_END) - 1 + ahead.size
        nofollow = bytes(ahead.size) + nofollow if 1 in nofollow else b""
        return Hrefs(ahead.encoded + fenced[1:], size, nofollow)


def encoded_texts(texts: Iterable[str]) -> bytes:
    """The texts of links in UTF-8, each with a zero behind it."""
    return "".join(f"{text}\0" for text in texts).encode("utf-8", "surrogatepass")


def texts_of(encoded: bytes) -> list[str]:
    """The texts of links, each with a zero behind it."""
    texts = encoded.decode("utf-8", "surrogatepass").split("\0")
    texts.pop()  # behind the last zero
    return texts
