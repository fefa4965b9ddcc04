"""The heading that names a page, and the elements after it."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.survey import PageSurvey

TEXT = "-text"

_MAX_HEADINGS = 40
_ARIA_HEADLINE = '[role=heading][aria-level="1"]'
_SHORTEST_HEADLINE = 6
_LONG_HEADLINE = 20  # characters that nothing but the headline repeats
_BETWEEN = re.compile(r"\n|\s[|–—·:-]\s")  # the headline and the name of the site, in a title
_MAX_HEADLINE = 300
_UNREAD = frozenset(
    """
    script style noscript template svg nav aside footer iframe select option textarea button input
    """.split()  # noqa: SIM905
)


def headline(tree: LexborHTMLParser, found: PageSurvey) -> LexborNode | None:
    """The heading that matches the title of the page, else the first heading."""
    named = (found.meta("og:title") or "", found.title or "")
    lines = [_folded(title[: 2 * _MAX_HEADLINE]) for title in named]
    titles = "\n".join(lines)
    parts = [part for part in _BETWEEN.split(titles) if len(part) >= _LONG_HEADLINE]
    first = tree.css_first("h1") or tree.css_first(_ARIA_HEADLINE)
    headings = tree.css(f"h1, h2, {_ARIA_HEADLINE}" if first else "h2, h3")[:_MAX_HEADINGS]
    best, strongest = first, (False, 0)
    for heading in headings:
        text = _folded(short_text(heading, _MAX_HEADLINE) or "")
        # A label may stand in the heading beside the headline, as the name of the site does in the title.
        # A heading that says more than the title is that of a reply: "Re: " and the title.
        strength = (text in titles, len(text))
        if len(text) < _SHORTEST_HEADLINE or strength <= strongest:
            continue
        if strength[0] or any(part in text for part in parts):
            best, strongest = heading, strength
        if strength[0] and text in lines:
            return heading
    return _titled_h3(tree, lines[0]) or best


def _titled_h3(tree: LexborHTMLParser, og_title: str) -> LexborNode | None:
    """The <h3> with exactly the `og:title`: blogs show their own name as <h1> and the post's as <h3>."""
    if len(og_title) < _LONG_HEADLINE:
        return None
    for heading in tree.css("h3")[:_MAX_HEADINGS]:
        if _folded(short_text(heading, _MAX_HEADLINE) or "") == og_title:
            return heading
    return None


def ancestors(node: LexborNode, levels: int) -> Iterator[LexborNode]:
    """The elements around `node`, from the inside out, up to <body>."""
    ancestor = node.parent
    while ancestor is not None and levels and ancestor.tag not in ("body", "html"):
        yield ancestor
        ancestor, levels = ancestor.parent, levels - 1


def following(node: LexborNode, limit: int, into: bool = False) -> Iterator[LexborNode]:
    """The elements and texts after `node` in the order of the page, at most `limit`; in it too if `into`."""
    here: LexborNode | None = node
    for _ in range(limit):
        here = _next(here, into) if here is not None else None
        if here is None:
            return
        into = here.tag not in _UNREAD
        if into:
            yield here


def _next(node: LexborNode, into: bool) -> LexborNode | None:
    if into and (child := node.first_child) is not None:
        return child
    here: LexborNode | None = node
    while here is not None and here.next is None:
        here = here.parent
    return here.next if here is not None else None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
