"""Read XML the way it is found, not the way it should be.

Feeds are written by string concatenation, so a strict parser loses a twentieth of them. This one knows no
fatal error: what is not a tag is text, a closing tag without its opening is ignored, an element without its
closing ends with its parent. Nor does it know a document type: a DTD is skipped, so that there is nothing to
expand and nothing to load. An element remembers where its content stands in the source; the content of titles
and texts is never parsed here, so whatever their markup does stays among themselves.

One pass, no backtracking beyond the tag at hand, and counts that end: see `limits.py`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from outrider.feeds.limits import MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS
from outrider.feeds.names import Scope

_TOKEN = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)"
    r"|<!--.*?(?:-->|\Z)"
    r"|<\?.*?(?:\?>|\Z)"
    r"|<!DOCTYPE[^\[>]*+(?:\[(?:[^\]\"'<]++|\"[^\"]*+\"|'[^']*+'|<!--.*?(?:-->|\Z)|<)*+\]?+[^>]*+)?>?"
    r"|<(?P<closes>/?)(?P<name>[^\W\d][\w:.-]*+)"
    r"(?P<attributes>(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([^\s=\"'/<>]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")

# Their content is text or foreign markup, to be taken whole.
_WHOLE = frozenset(
    "title subtitle tagline description summary content info copyright rights content:encoded body xhtml:body "
    "xhtml:div dc:title dc:description itunes:summary itunes:subtitle media:title media:description fullitem "
    "dcterms:abstract".split()
)
_ENTRIES = frozenset(("item", "entry"))


@dataclass(slots=True)
class Element:
    """One element; `source[start:end]` is what stands between its tags."""

    name: str
    attributes: dict[str, str]
    source: str
    start: int
    end: int
    base: tuple[str, ...] = ()  # the xml:base values around it, outermost first
    language: str | None = None
    children: list["Element"] = field(default_factory=list)

    @property
    def inner(self) -> str:
        return self.source[self.start : self.end]

    def all(self, *names: str) -> Iterator["Element"]:
        """The children of these names, in the order of the names, then of the document."""
        for name in names:
            for child in self.children:
                if child.name == name:
                    yield child

    def first(self, *names: str) -> "Element | None":
        return next(self.all(*names), None)

    def get(self, attribute: str) -> str | None:
        return self.attributes.get(attribute)


def read_markup(source: str, most_entries: int) -> Element:
    """The document's tree. Its root has no name and holds whatever there is, be it nothing."""
    return _Builder(source, most_entries).build()


class _Builder:
    def __init__(self, source: str, most_entries: int) -> None:
        self._source = source
        self._most_entries = most_entries
        self._open = [_Open("", Element("", {}, source, 0, len(source)), Scope({}))]
        self._whole = 0  # how many elements of the same name are open around the whole one, itself included

    def build(self) -> Element:
        elements = entries = 0
        for token in _TOKEN.finditer(self._source):
            written = token["name"]
            if written is None:
                continue
            if token["closes"]:
                self._close(written, token)
                continue
            if self._whole and not self._ends_whole(written):
                self._whole += written == self._open[-1].written and not token["attributes"].endswith("/")
                continue
            element = self._start(written, token)
            elements += 1
            entries += element.name in _ENTRIES
            if elements > MAX_ELEMENTS or entries > self._most_entries:
                self._end_all(token.start())
                return self._open[0].element
        self._end_all(len(self._source))
        return self._open[0].element

    def _start(self, written: str, token: re.Match[str]) -> Element:
        parent = self._open[-1]
        attributes, declared = _attributes(token["attributes"])
        scope = parent.scope.with_prefixes(declared) if declared else parent.scope
        name = scope.name(written)
        if name in _ENTRIES:
            self._end_open_entry(token.start())
            parent = self._open[-1]
        element = Element(
            name,
            {scope.name(key) if ":" in key else key: value for key, value in attributes.items()},
            self._source,
            token.end(),
            token.end(),
            parent.element.base,
            parent.element.language,
        )
        if attributes:
            if base := attributes.get("xml:base", "").strip():
                element.base = (*element.base, base)
            element.language = attributes.get("xml:lang", element.language)
        if len(self._open) <= MAX_DEPTH:
            parent.element.children.append(element)
            if not token["attributes"].endswith("/"):
                self._open.append(_Open(written, element, scope))
                self._whole = int(name in _WHOLE)
        return element

    def _close(self, written: str, token: re.Match[str]) -> None:
        if self._whole and written == self._open[-1].written:
            self._whole -= 1
            if self._whole:
                return
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].written == written:
                if self._whole and depth < len(self._open) - 1 and not self._open[depth].is_entry:
                    return  # a stray closing tag inside a text
                self._end_from(depth, token.start())
                return

    def _ends_whole(self, written: str) -> bool:
        """Whether this opening tag shows that the text before it was never closed."""
        around = self._open[-2]
        return around.is_entry and written == around.written

    def _end_open_entry(self, at: int) -> None:
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].is_entry:
                self._end_from(depth, at)
                return

    def _end_from(self, depth: int, at: int) -> None:
        for open_ in self._open[depth:]:
            open_.element.end = at
        del self._open[depth:]
        self._whole = 0

    def _end_all(self, at: int) -> None:
        self._end_from(1, at)


@dataclass(slots=True)
class _Open:
    written: str
    element: Element
    scope: Scope

    @property
    def is_entry(self) -> bool:
        return self.element.name in _ENTRIES


def _attributes(written: str) -> tuple[dict[str, str], dict[str, str]]:
    """The attributes, names in lower case, and the namespaces they declare."""
    attributes: dict[str, str] = {}
    declared: dict[str, str] = {}
    if "=" not in written:
        return attributes, declared
    for count, found in enumerate(_ATTRIBUTE.finditer(written)):
        if count == MAX_ATTRIBUTES:
            break
        name = found[1].lower()
        value = found[2] or found[3] or found[4] or ""
        if "&" in value:
            value = unescape(value)
        if name.startswith("xmlns"):
            declared[name[6:]] = value
        else:
            attributes.setdefault(name, value)
    return attributes, declared
