"""A page as a flat list of blocks of text, each knowing its place in the outline of the page's elements."""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from outrider.extract.text_hints import Role, is_label, role_of

MAX_NODES = 300_000  # a page with more is built to be slow, and its beginning says what it is

_SKIPPED = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "math",
        "iframe",
        "frame",
        "object",
        "embed",
        "canvas",
        "audio",
        "video",
        "map",
        "head",
        "link",
        "meta",
        "select",
        "button",
        "input",
        "textarea",
        "option",
        "optgroup",
        "datalist",
        "progress",
        "meter",
        "noframes",
        "applet",
        "rp",
        "rt",
    ]
)
_REGIONS = frozenset(
    [
        "html",
        "body",
        "address",
        "article",
        "aside",
        "blockquote",
        "caption",
        "center",
        "col",
        "colgroup",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "legend",
        "li",
        "listing",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "xmp",
    ]
)
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


@dataclass(slots=True)
class Region:
    """An element that stands apart on the page, and the run of blocks it holds."""

    parent: int
    tag: str
    role: Role
    start: int
    end: int = 0


@dataclass(slots=True)
class Block:
    """Text that reads as one piece."""

    text: str
    tag: str
    region: int
    size: int  # in bytes, so that a Chinese character weighs what it says and not what a letter does
    linked: float  # the share of it that is links


@dataclass(slots=True)
class Outline:
    """Regions in document order, parents first; blocks in document order."""

    regions: list[Region]
    blocks: list[Block]


def outline(root: LexborNode) -> Outline:
    """Walk the tree once, without recursion: pages nest deeper than Python's stack."""
    regions = [Region(parent=-1, tag="body", role=Role.PLAIN, start=0)]
    blocks: list[Block] = []
    pieces: list[str] = []
    current = 0
    links = 0  # open <a> elements
    linked = 0  # characters of the pieces inside them
    preformatted = 0

    def flush() -> None:
        nonlocal linked
        if pieces:
            text = "".join(pieces)
            if not text.isascii():
                text = text.translate(_INVISIBLE)
            pieces.clear()
            folded = _lines(text) if preformatted else " ".join(text.split())
            if folded:
                size = len(folded) if folded.isascii() else len(folded.encode("utf-8", "replace"))
                blocks.append(
                    Block(folded, regions[current].tag, current, size, min(linked / len(folded), 1.0))
                )
            linked = 0

    left = MAX_NODES
    open_nodes: list[tuple[LexborNode, str]] = []
    node = root.first_child
    while left:
        if node is None:
            if not open_nodes:
                break
            node, tag = open_nodes.pop()
            if tag == "a":
                links -= 1
            elif tag:
                flush()
                regions[current].end = len(blocks)
                current = regions[current].parent
                if tag == "pre":
                    preformatted -= 1
            node = node.next
            continue
        left -= 1
        tag = node.tag or ""
        if tag == "-text":
            text = node.text_content or ""
            if text:
                pieces.append(text)
                if links:
                    linked += len(text.strip())
        elif tag == "br":
            pieces.append("\n" if preformatted else " ")
        elif tag not in _SKIPPED and (child := node.first_child) is not None:
            if tag in _REGIONS or "-" in tag:
                role = _role(node, tag)
                if role is None:
                    node = node.next
                    continue
                flush()
                regions.append(Region(parent=current, tag=tag, role=role, start=len(blocks)))
                current = len(regions) - 1
                if tag == "pre":
                    preformatted += 1
                open_nodes.append((node, tag))
            elif (names := node.attributes.get("class")) and is_label(names):
                node = node.next
                continue
            elif tag == "a":
                links += 1
                open_nodes.append((node, tag))
            else:
                open_nodes.append((node, ""))
            node = child
            continue
        node = node.next
    flush()
    while current >= 0:
        regions[current].end = len(blocks)
        current = regions[current].parent
    return Outline(regions, blocks)


def _role(node: LexborNode, tag: str) -> Role | None:
    """What the element is there for; nothing for one that is not seen at all."""
    attributes = node.attributes
    if not attributes:
        return role_of(tag, "", "", "")
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return Role.CHROME
    style = attributes.get("style")
    if style and _UNSEEN.search(style):
        return Role.CHROME
    names = attributes.get("class") or ""
    if name := attributes.get("id"):
        names = f"{names} {name}"
    role = role_of(tag, names, attributes.get("role") or "", attributes.get("itemprop") or "")
    return None if role is Role.CONSENT else role


def _lines(text: str) -> str:
    """Preformatted text keeps its lines and loses only what trails."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()).strip("\n")
