"""A page as a flat list of blocks of text, each knowing its place in the outline of the page's elements."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from outrider.extract.text.hints import HIDDEN, Hint, RegionRole, hint_of, is_label

MAX_NODES = 300_000  # a page with more is built to be slow, and its beginning says what it is
MAX_NAMES = 300  # characters of an element's class and id that are read


def tags(names: str) -> frozenset[str]:
    """Names of elements, given in a row."""
    return frozenset(names.split())


HEADINGS = tags("h1 h2 h3 h4 h5 h6")
PROSE = tags("p blockquote pre dd")

_SKIPPED = tags(
    "script style template svg math iframe frame object embed canvas audio video map head link meta"
    " select button input textarea option optgroup datalist progress meter noframes applet rp rt"
)
_REGIONS = (HEADINGS | PROSE) | tags(
    "html body address article aside caption center details dialog dir div dl dt fieldset figcaption figure"
    " footer form frameset header hgroup hr legend li listing main menu nav noscript ol search section"
    " summary table tbody td tfoot th thead tr ul xmp"
)
_NAMED_BY_WORDS = HEADINGS | {"section"}
_PREFORMATTED = frozenset(("pre", "listing", "xmp"))
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# Names of what is hidden only until a reader opens it.
_UNFOLDS = re.compile(r"accordion|collaps|expand|toggle|faq|answer", re.IGNORECASE)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]+")


@dataclass(slots=True)
class Region:
    """An element that stands apart on the page, and the run of blocks it holds."""

    parent: int
    tag: str
    role: RegionRole
    start: int
    end: int = 0
    word: str = ""  # that its role was read from
    is_tab_panel: bool = False


@dataclass(slots=True)
class TextBlock:
    """Text that reads as one piece."""

    text: str
    tag: str  # of its region
    region: int
    size: int  # in bytes, so that a Chinese character weighs what it says and not what a letter does
    linked: float  # the share of it that is links
    links: int = 0  # how many of them begin here: a card is one link around several blocks


@dataclass(slots=True)
class Outline:
    """Regions in document order, parents first; blocks in document order; the types of its microdata."""

    regions: list[Region]
    blocks: list[TextBlock]
    types: set[str]


def size_of(blocks: Iterable[TextBlock]) -> int:
    """The bytes of the blocks together."""
    return sum(block.size for block in blocks)


def outline(root: LexborNode, *, without_scripts: bool = False) -> Outline:
    """Walk the tree once, without recursion: pages nest deeper than Python's stack.

    `without_scripts` reads the page as browsers without JavaScript show it.
    """
    skipped = _SKIPPED if without_scripts else _SKIPPED | {"noscript"}
    walk = _Walk()
    left: list[LexborNode] = []  # the elements we are inside of
    node = root.first_child
    for _ in range(MAX_NODES):
        while node is None and left:
            walk.leave()
            node = left.pop().next
        if node is None:
            break
        tag = node.tag or ""
        child = None
        if tag == "-text":
            walk.text(node.text_content or "")
        elif tag == "br":
            walk.text("\n")
        elif (
            tag not in skipped
            and (child := node.first_child) is not None
            and walk.enter(tag, node.attributes)
        ):
            left.append(node)
            node = child
            continue
        node = node.next
    return walk.finish()


class _Walk:
    """Where the walk stands: the open elements, and the pieces of text since the last block ended."""

    __slots__ = (
        "blocks",
        "linked",
        "links",
        "open",
        "pieces",
        "preformatted",
        "region",
        "regions",
        "started",
        "types",
    )

    def __init__(self) -> None:
        self.regions = [Region(-1, "body", RegionRole.PLAIN, 0)]
        self.blocks: list[TextBlock] = []
        self.types: set[str] = set()
        self.region = 0
        self.open: list[str] = []  # tags, empty for those that only style the text
        self.links = 0  # how many of them are links
        self.preformatted = 0  # how many of them keep their lines
        self.pieces: list[str] = []
        self.started = 0  # links that began since
        self.linked = 0  # characters of the pieces inside links

    def text(self, text: str) -> None:
        self.pieces.append(text)
        if self.links:
            self.linked += len(text.strip())

    def enter(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Open an element, unless there is nothing to see inside of it."""
        if tag in _REGIONS or "-" in tag:
            role, word = _role(tag, attributes)
            if role is RegionRole.CONSENT:
                return False
            self._open_region(tag, role, word, is_tab_panel=attributes.get("role") == "tabpanel")
            if kind := attributes.get("itemtype"):
                self.types.add(kind[-MAX_NAMES:].rsplit("/", 1)[-1])
        elif (names := attributes.get("class")) and is_label(names[:MAX_NAMES]):
            return False
        elif tag == "a":
            self.links += 1
            self.started += 1
            self.open.append("a")
        else:
            self.open.append("")
        return True

    def leave(self) -> None:
        """Close the innermost open element."""
        tag = self.open.pop()
        if tag == "a":
            self.links -= 1
        elif tag:
            if self.pieces:
                self._end_block()
            if tag in _PREFORMATTED:
                self.preformatted -= 1
            self.regions[self.region].end = len(self.blocks)
            self.region = self.regions[self.region].parent

    def finish(self) -> Outline:
        """Close all open elements at the end of the page or at the limit."""
        if self.pieces:
            self._end_block()
        while self.region >= 0:
            self.regions[self.region].end = len(self.blocks)
            self.region = self.regions[self.region].parent
        return Outline(self.regions, self.blocks, self.types)

    def _open_region(self, tag: str, role: RegionRole, word: str, *, is_tab_panel: bool) -> None:
        if self.pieces:
            self._end_block()
        self.regions.append(Region(self.region, tag, role, len(self.blocks), 0, word, is_tab_panel))
        self.region = len(self.regions) - 1
        self.open.append(tag)
        if tag in _PREFORMATTED:
            self.preformatted += 1

    def _end_block(self) -> None:
        text = "".join(self.pieces)
        self.pieces.clear()
        linked, self.linked = self.linked, 0
        if text.isspace():
            return
        if not text.isascii():
            text = _INVISIBLE.sub("", text)
        text = _lines(text) if self.preformatted else " ".join(text.split())
        if text:
            started, self.started = self.started, 0
            size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
            tag = self.regions[self.region].tag
            self.blocks.append(TextBlock(text, tag, self.region, size, min(linked / len(text), 1.0), started))


def _role(tag: str, attributes: Mapping[str, str | None]) -> Hint:
    """What the element is there for. One that is not shown is secondary until its text proves otherwise."""
    if not attributes:
        return hint_of(tag, "", "", "")
    if _is_unseen(attributes):
        named = ((attributes.get(key) or "")[:MAX_NAMES] for key in ("class", "id"))
        return (RegionRole.PRESENTATION if any(map(_UNFOLDS.search, named)) else RegionRole.SECONDARY), HIDDEN
    names = attributes.get("class") or ""
    # The id of a section or heading is often made from its words, which may be about cookies or authors.
    if (name := attributes.get("id")) and tag not in _NAMED_BY_WORDS and "section" not in names:
        names = f"{names} {name}"
    aria, itemprop = attributes.get("role") or "", attributes.get("itemprop") or ""
    return hint_of(tag[:MAX_NAMES], names[:MAX_NAMES], aria[:MAX_NAMES], itemprop[:MAX_NAMES])


def _is_unseen(attributes: Mapping[str, str | None]) -> bool:
    """Whether the element is hidden, except by a tab that can be opened."""
    if attributes.get("role") == "tabpanel":
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    style = attributes.get("style")
    return bool(style and _UNSEEN.search(style))


def _lines(text: str) -> str:
    """Preformatted text keeps its lines and loses only what trails."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
