"""The links and the ids of an HTML text, with line numbers."""

from html.parser import HTMLParser

from outrider.links.files.model import FoundLink

MOST_LINKS = 100_000
_HREFS = {"a": "href", "area": "href", "link": "href"}
_SOURCES = {"img", "script", "iframe", "source", "video", "audio", "embed", "track", "input"}
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
        if tag == "link" and _HINTS.intersection(values.get("rel", "").lower().split()):
            return
        href = values.get(_HREFS.get(tag, "src")) if tag in _HREFS or tag in _SOURCES else None
        if href is not None and href.strip() and len(self.links) < MOST_LINKS:
            self.links.append(FoundLink(href.strip(), self.getpos()[0] + self._first_line - 1))


def html_links(text: str, first_line: int = 1) -> tuple[list[FoundLink], frozenset[str], str | None]:
    """The links, the fragments and the base of an HTML text."""
    reader = _LinkReader(first_line)
    reader.feed(text)
    reader.close()
    return reader.links, frozenset(reader.ids), reader.base
