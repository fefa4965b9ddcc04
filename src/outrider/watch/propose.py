"""Proposes CSS selectors that find the same fields as extraction without selectors (SRC-15). Pure.

A proposal uses the structure of one article: the elements with its title, author and date, and the element
around its text. A selector is proposed only if it finds the same value, and only with stable names: an id or
a class without digits.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.model import Page
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.recipe.model import Extracted
from outrider.extract.recipe.picking import OWN, Chosen, pick, pick_text
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.tree.parse import parse
from outrider.extract.tree.short_text import short_text

MOST_LOOKED_AT = 60  # elements that may hold a field
MOST_TRIED = 60  # selectors for them
MOST_BODIES = 6
MOST_EXCLUDED = 20
MOST_BLOCKS = 2_000
LONGEST_BLOCK = 20_000
LONG_LINE = 40  # characters from which a line counts as text and not as navigation
ALIKE = 0.9

_SINGLE = frozenset({"h1", "article", "main", "time"})
_FRAME = frozenset({"h1", "header", "footer", "aside", "nav", "form", "figure"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z_-]{1,39}")
_WHERE = {
    "title": "h1, h2, [itemprop=headline], [class*=title], [class*=headline]",
    "author": "[rel=author], [itemprop=author], [class*=author], [class*=byline], address",
    "published_time": "time, [itemprop=datePublished], [class*=published], [class*=date], [class*=time]",
}
_FIELD = {"title": "title", "author": "author", "published_time": "published_at"}


def propose(body: bytes, content_type: str | None, extracted: Extracted, now: datetime) -> dict[str, Any]:
    """Selectors, in the form that sources store, for pages like this one; empty if there are none."""
    parsed = ParsedPage.of(body, extracted.page.url, content_type)
    found = _body(parsed, extracted.page.text)
    if not found:
        return {}  # selectors replace the generic extraction: without one for the body the text is lost
    for name in _WHERE:
        if selector := _field(parsed, extracted.page, name, now):
            found[name] = selector
    return Selectors.from_json({"article": found}).to_json()


def _field(parsed: ParsedPage, page: Page, name: str, now: datetime) -> str | None:
    wanted = getattr(page, _FIELD[name])
    if not wanted:
        return None
    nodes = parsed.tree.css(_WHERE[name])[:MOST_LOOKED_AT]
    for selector in islice(_unique(nodes), MOST_TRIED):
        told = pick(parsed, _chosen({name: selector}), now).get(_FIELD[name])
        if told is not None and _says(told[0], wanted):
            return selector
    return None


def _says(found: Any, wanted: Any) -> bool:
    """Whether both are equal, or `found` is a headline and `wanted` the same with the name of the site."""
    if isinstance(found, str) and isinstance(wanted, str):
        return found in wanted and 2 * len(found) >= len(wanted)
    return bool(found == wanted)


def _body(parsed: ParsedPage, text: str) -> dict[str, Any]:
    """The innermost element around the text that has a selector, and selectors of its parts to exclude."""
    lines = [line for line in text.splitlines() if len(line) >= LONG_LINE]
    if not lines:
        return {}
    for node in islice(_around(parsed.tree, lines[0], lines[-1]), MOST_BODIES):
        excluded = list(dict.fromkeys(_foreign(node, text)))[:MOST_EXCLUDED]
        for selector in _unique([node]):
            for found in ({"body": selector, "exclude": excluded}, {"body": selector}):
                if _is_alike(pick_text(parse(parsed.html), _chosen(found))[0], text):
                    return found
    return {}


def _foreign(node: LexborNode, text: str) -> Iterator[str]:
    """Selectors of the parts of an element that hold none of this text."""
    joined = " ".join(text.split())
    for part in node.iter(include_text=False):
        content = short_text(part, LONGEST_BLOCK)
        if content and content[:LONG_LINE] not in joined:
            name = next(_own_names(part), str(part.tag) if part.tag in _FRAME else None)
            if name:
                yield name


def _around(tree: LexborHTMLParser, first: str, last: str) -> Iterator[LexborNode]:
    """The elements that hold both lines, innermost first."""
    ends = [_holding(tree, line) for line in (first, last)]
    if ends[0] is None or ends[1] is None:
        return
    above = {node.mem_id for node in _ancestors(ends[1])}
    for node in _ancestors(ends[0]):
        if node.mem_id in above and node.tag not in ("html", "body"):
            yield node


def _holding(tree: LexborHTMLParser, line: str) -> LexborNode | None:
    beginning = line[:LONG_LINE]
    for kind in ("p, li, blockquote, h2, h3", "div"):
        for node in tree.css(kind)[:MOST_BLOCKS]:
            if (text := short_text(node, LONGEST_BLOCK)) and text.startswith(beginning):
                return node
    return None


def _ancestors(node: LexborNode | None) -> Iterator[LexborNode]:
    while node is not None:
        node = node.parent
        if node is not None:
            yield node


def _unique(nodes: Sequence[LexborNode]) -> Iterator[str]:
    """Selectors that may find these elements, without repeats."""
    yield from dict.fromkeys(name for node in nodes for name in _names(node))


def _names(node: LexborNode) -> Iterator[str]:
    yield from _own_names(node)
    tag = str(node.tag)
    if node.parent is not None:
        yield from (f"{above} {tag}" for above in _own_names(node.parent))
    if tag in _SINGLE:
        yield tag


def _own_names(node: LexborNode) -> Iterator[str]:
    attributes: Mapping[str, str | None] = node.attributes
    if _NAME.fullmatch(called := attributes.get("id") or ""):
        yield f"#{called}"
    for name in ("itemprop", "rel"):
        if _NAME.fullmatch(value := attributes.get(name) or ""):
            yield f"{node.tag}[{name}={value}]"
    for name in (attributes.get("class") or "").split()[:5]:
        if _NAME.fullmatch(name):
            yield f"{node.tag}.{name}"


def _chosen(article: Mapping[str, Any]) -> list[Chosen]:
    return [Chosen(OWN, Selectors.from_json({"article": article}))]


def _is_alike(found: str, text: str) -> bool:
    """Whether `found` holds nearly all of the text and hardly anything else."""
    lines, wanted = set(found.splitlines()), set(text.splitlines())
    both = sum(map(len, lines & wanted))
    return both >= ALIKE * sum(map(len, wanted)) and both >= ALIKE * sum(map(len, lines))
