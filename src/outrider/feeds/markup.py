"""A tolerant XML parser.

Many programs write feeds by string concatenation, so a strict parser refuses one feed in twenty. This parser
has no fatal error: characters that are no tag are text, a closing tag without an opening one is ignored, and
an element without a closing tag ends with its parent. A DTD is skipped, so nothing is expanded or loaded. An
element stores the position of its content in the source. The content of titles and texts is not parsed here,
so their markup cannot affect the rest of the document.

The parser makes one pass, backtracks at most within one tag, and bounds all counts (`limits.py`).
"""

import re
from dataclasses import dataclass, field

from outrider.feeds.limits import MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS
from outrider.feeds.names import NamespaceScope
from outrider.feeds.strings import unescaped, words

_TOKEN = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)"
    r"|<!--.*?(?:-->|\Z)"
    r"|<\?.*?(?:\?>|\Z)"
    r"|<!DOCTYPE[^\[>]*+(?:\[(?:[^\]\"'<]++|\"[^\"]*+\"|'[^']*+'|<!--.*?(?:-->|\Z)|<)*+\]?+[^>]*+)?>?"
    r"|<(/?)([^\W\d][\w:.-]*+)((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([^\s=\"'/<>]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")

# Elements whose content is text or foreign markup. It is not parsed.
_WHOLE = words(
    "title subtitle tagline description summary content info copyright rights content:encoded body "
    "xhtml:body xhtml:div dc:title dc:description dcterms:abstract itunes:summary itunes:subtitle "
    "media:title media:description fullitem"
)
_ENTRIES = frozenset(("item", "entry"))
_NO_SCOPE = NamespaceScope({})


@dataclass(slots=True)
class Element:
    """One element; `source[start:end]` is the content between its tags."""

    name: str
    attributes: dict[str, str]
    source: str
    start: int
    end: int
    base: tuple[str, ...] = ()  # the xml:base values around it, outermost first
    language: str | None = None
    children: list["Element"] = field(default_factory=list)
    _named: dict[str, list["Element"]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def inner(self) -> str:
        return self.source[self.start : self.end]

    @property
    def is_cut(self) -> bool:
        """Whether the document ended before the element did."""
        return self.end == len(self.source)

    def all(self, *names: str) -> list["Element"]:
        """The children of these names, in the order of the names, then of the document."""
        named = self._named or self._by_name()
        return [child for name in names if name in named for child in named[name]]

    def first(self, *names: str) -> "Element | None":
        named = self._named or self._by_name()
        for name in names:
            if children := named.get(name):
                return children[0]
        return None

    def _by_name(self) -> dict[str, list["Element"]]:
        """Index the children: readers ask for dozens of names, and few of them exist."""
        named = self._named
        for child in self.children:
            named.setdefault(child.name, []).append(child)
        return named

    def get(self, attribute: str) -> str | None:
        return self.attributes.get(attribute)


def read_markup(source: str, most_entries: int, scope: NamespaceScope = _NO_SCOPE) -> Element:
    """The tree of a document. Its root has no name and may be empty.

    `scope` holds the namespaces declared before `source`, if that is a part of a document.
    """
    return _Builder(source, most_entries, scope).build()


def namespaces_in(attributes: str) -> dict[str, str]:
    """The prefixes that a tag declares."""
    return _attributes(attributes)[1]


class _Builder:
    def __init__(self, source: str, most_entries: int, scope: NamespaceScope) -> None:
        self._source = source
        self._most_entries = most_entries
        self._open = [_Open("", Element("", {}, source, 0, len(source)), scope)]
        self._whole = 0  # open elements with the name of the unparsed element, including itself

    def build(self) -> Element:
        elements = entries = 0
        for token in _TOKEN.finditer(self._source):
            closes, written, attributes = token.group(1, 2, 3)
            if written is None:
                continue
            written = written.lower()
            if closes:
                self._close(written, token.start())
                continue
            if self._whole:
                if not self._ends_whole(written):
                    self._whole += written == self._open[-1].written and not attributes.endswith("/")
                    continue
                self._end_from(len(self._open) - 1, token.start())
            name = self._start(written, attributes, token.start(), token.end())
            elements += 1
            entries += name in _ENTRIES
            if elements > MAX_ELEMENTS or entries > self._most_entries:
                self._end_from(1, token.start())
                return self._open[0].element
        self._end_from(1, _end_of(self._source))
        return self._open[0].element

    def _start(self, written: str, tail: str, at: int, end: int) -> str:
        """Open an element. Its tag is at `at` to `end`, and `tail` follows its name in the tag."""
        parent = self._open[-1]
        attributes: dict[str, str] = {}
        scope = parent.scope
        if "=" in tail:
            attributes, declared = _attributes(tail)
            if declared:
                scope = scope.with_prefixes(declared)
        name = scope.name(written)
        if name in _ENTRIES:
            self._end_open_entry(at)
            parent = self._open[-1]
        around = parent.element
        element = Element(name, attributes, self._source, end, end, around.base, around.language)
        if attributes:
            _inherit(element, scope)
        if len(self._open) <= MAX_DEPTH:
            around.children.append(element)
            if not tail.endswith("/"):
                self._open.append(_Open(written, element, scope))
                self._whole = int(name in _WHOLE)
        return name

    def _close(self, written: str, at: int) -> None:
        if self._whole and written == self._open[-1].written:
            self._whole -= 1
            if self._whole:
                return
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].written == written:
                if self._whole and depth < len(self._open) - 1 and not self._open[depth].is_entry:
                    return  # a stray closing tag inside a text
                self._end_from(depth, at)
                return

    def _ends_whole(self, written: str) -> bool:
        """Whether this opening tag shows that the text before it was never closed."""
        around = self._open[-2]
        return written == around.written if around.is_entry else written in _ENTRIES

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


@dataclass(slots=True)
class _Open:
    written: str
    element: Element
    scope: NamespaceScope

    @property
    def is_entry(self) -> bool:
        return self.element.name in _ENTRIES


def _end_of(source: str) -> int:
    """The end of a document, before a last tag that was cut off."""
    last = source.rfind("<")
    is_cut = last >= 0 and source.find(">", last) < 0 and not source.startswith("<!", last)
    return last if is_cut else len(source)


def _inherit(element: Element, scope: NamespaceScope) -> None:
    """Give the attributes their canonical names, and read the inherited ones (xml:base, xml:lang)."""
    element.attributes = {
        scope.name(key) if ":" in key else key: value for key, value in element.attributes.items()
    }
    if base := element.attributes.get("xml:base", "").strip():
        element.base = (*element.base, base)
    element.language = element.attributes.get("xml:lang", element.language)


def _attributes(written: str) -> tuple[dict[str, str], dict[str, str]]:
    """The attributes, names in lower case, and the namespaces they declare."""
    attributes: dict[str, str] = {}
    declared: dict[str, str] = {}
    for count, found in enumerate(_ATTRIBUTE.finditer(written)):
        if count == MAX_ATTRIBUTES:
            break
        name = found[1].lower()
        value = found[2] or found[3] or found[4] or ""
        if "&" in value:
            value = unescaped(value)
        if name.startswith("xmlns"):
            declared[name[6:]] = value
        else:
            attributes.setdefault(name, value)
    return attributes, declared
