"""The links and the ids of an HTML text, with line numbers."""

import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

from outrider.links.files.model import FoundLink

MOST_LINKS = 100_000
_HREFS = {"a": "href", "area": "href", "link": "href", "object": "data"}
_SOURCES = {"img", "script", "iframe", "source", "video", "audio", "embed", "track", "input", "frame"}
WITH_LINKS = frozenset({*_HREFS, *_SOURCES, "meta"})
_WITH_SETS = frozenset({"img", "source"})
_CANDIDATES = re.compile(r",\s+|(?<=[0-9][xw]),(?!\s)")
_REFRESH = re.compile(r"\s*[0-9.]*\s*[;,]\s*url\s*=\s*(?P<quote>['\"]?)(?P<url>.*?)(?P=quote)\s*", re.I)
_HINTS = frozenset({"preconnect", "dns-prefetch"})  # names of hosts, not links


class _LinkReader(HTMLParser):
    def __init__(self, first_line: int) -> None:
        super().__init__(convert_charrefs=True)
        self._first_line = first_line
        self.links: list[FoundLink] = []
        self.ids: set[str] = set()
        self.base: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        if found := values.get("id"):
            self.ids.add(found)
        if tag == "a" and (name := values.get("name")):
            self.ids.add(name)
        if tag == "base":
            self.base = self.base or values.get("href")
            return
        for href in links_of(tag, values):
            if href.strip() and len(self.links) < MOST_LINKS:
                self.links.append(FoundLink(href.strip(), self.getpos()[0] + self._first_line - 1))


def links_of(tag: str, values: Mapping[str, str]) -> Iterator[str]:
    """What the attributes of an element lead to."""
    if tag == "link" and _HINTS.intersection(values.get("rel", "").lower().split()):
        return
    named = _HREFS.get(tag, "src") if tag in _HREFS or tag in _SOURCES else None
    if named is not None and named in values:
        yield values[named]
    if tag in _WITH_SETS and "srcset" in values:
        # A candidate ends at a comma with a blank, or after its size: addresses may have commas.
        for candidate in _CANDIDATES.split(values["srcset"]):
            yield candidate.strip().partition(" ")[0].strip(",")
    if tag == "video" and "poster" in values:
        yield values["poster"]
    is_refresh = tag == "meta" and values.get("http-equiv", "").strip().lower() == "refresh"
    if is_refresh and (found := _REFRESH.fullmatch(values.get("content", ""))):
        yield found["url"]


def html_links(text: str, first_line: int = 1) -> tuple[list[FoundLink], frozenset[str], str | None]:
    """The links, the fragments and the base of an HTML text."""
    reader = _LinkReader(first_line)
    reader.feed(text)
    reader.close()
    return reader.links, frozenset(reader.ids), reader.base
