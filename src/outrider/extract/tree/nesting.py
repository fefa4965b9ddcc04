"""Use the parser itself to measure how deep a page nests, before it nests too deep.

Whether a closing tag closes anything depends on comments, quotes, scripts, tables, scopes and on hundreds of
rules more, so no count of tags is ever right about it: see `<div><!--</div>-->`. But parsing is cheap as long
as a page is shallow. Therefore it is parsed from its beginning to one place and then to a later one: each
time the part before is known to be harmless, and the part that is new is too short to hurt.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from time import thread_time

import numpy as np
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

MAX_DEPTH = 512  # as browsers do
MAX_REPEATED = 500_000  # elements that unclosed formatting may add to the tree

# What a tree has above and between the elements that are counted here: <html>, <body>, <tbody>, <p>, <li>…
_UNCOUNTED_DEPTH = 60
# A first child is as deep as any of its siblings, and to ask one of them is enough.
_TOO_DEEP = "*>" * (MAX_DEPTH + _UNCOUNTED_DEPTH) + ":first-child"
_SHORTEST_ELEMENT = len("<b></b>")
_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)

# In tags. The work that a step can cause grows with its square: less than a second for the longest one.
_FIRST_STEP = 5000
_LONGEST_STEP = 25_000
_SHORTEST_STEP = 300  # fewer than it takes to be deep, so that the head of a page always stays
_LONGEST_S = 1.5  # of CPU, to find out: no honest page takes a third of that; the others end there

# The parser does not expose the content of a template, which could be deep: it is not read as tags at all.
_TEMPLATE = re.compile(rb"<(/?)template(?=[\s/>])", re.IGNORECASE)
_ALL_BUT_LINKS = re.compile(rb"<(?!/?a[\s/>])[^<>]*+>?", re.IGNORECASE)
_TAG = re.compile(rb"<(/?)([a-z][^\s/>]*+)[^<>]*+>?", re.IGNORECASE)
_PLAIN_NAME = re.compile(rb"[a-z0-9:._-]{1,40}")
# Hardly nest: void, closed by their like, or holding text alone. <a> is one, so no link is dropped.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr html head body a p li dt dd "
    b"option optgroup tr td th tbody thead tfoot colgroup rt rp".split()
)


class _Slow(Exception):
    """It takes too long to find out; `harmless` is how much of the page was seen."""

    def __init__(self, harmless: bytes) -> None:
        self.harmless = harmless


def shallow(html: bytes) -> bytes:
    """The page as it is, if that is harmless; else without its deepest tags; else it ends in bare links."""
    try:
        return _made_shallow(without_templates(html), thread_time() + _LONGEST_S)
    except _Slow as slow:
        return slow.harmless


def without_templates(html: bytes) -> bytes:
    """The page with templates as text that is not shown."""
    return _TEMPLATE.sub(rb"<\1noframes", html)


def _made_shallow(html: bytes, until: float) -> bytes:
    if _harm(html, _places(html, 0), until) is None:
        return html
    html = b"".join(_flattened(html))
    reached = _reached(html, 0, until)
    if reached == len(html):
        return html
    html = html[:reached] + _ALL_BUT_LINKS.sub(b" ", html[reached:])
    # Even links nest, in an <svg>.
    return html[: _reached(html, reached, until)]


def _reached(html: bytes, start: int, until: float) -> int:
    """Up to where the page can be parsed without harm, give or take some tags."""
    places = _places(html, start)
    harm = _harm(html, places, until)
    if harm is None:
        return len(html)
    harmless, harmful = harm
    while harmful - harmless > _SHORTEST_STEP and thread_time() < until:
        middle = (harmless + harmful) // 2
        if _is_harmless(html[: places[middle]]):
            harmless = middle
        else:
            harmful = middle
    return places[harmless]


def _places(html: bytes, start: int) -> list[int]:
    tags = np.flatnonzero(np.frombuffer(html, np.uint8) == ord("<"))
    return [start, *map(int, tags[tags > start]), len(html)]


def _harm(html: bytes, places: Sequence[int], until: float) -> tuple[int, int] | None:
    """Between which two of the places the page becomes harmful, if it does."""
    harmless, step, last = 0, _FIRST_STEP, len(places) - 1
    while harmless < last:
        if harmless and thread_time() > until:
            raise _Slow(html[: places[harmless]])
        stop = min(harmless + step, last)
        if not _is_harmless(html[: places[stop]]):
            return harmless, stop
        harmless, step = stop, min(2 * step, _LONGEST_STEP)
    return None


def _is_harmless(html: bytes) -> bool:
    tree = LexborHTMLParser(html, options=_WITHOUT_EVENTS)
    # Twice the length: written out, a page has its tags closed and its signs escaped.
    if len(tree.html or "") > 2 * len(html) + MAX_REPEATED * _SHORTEST_ELEMENT:
        return False
    return tree.css_first(_TOO_DEEP) is None


def _flattened(html: bytes) -> Iterator[bytes]:
    """The page without the tags that seem to be nested deeper than `MAX_DEPTH`.

    A space takes the place of a tag, or `<<div>option>` would become one.
    """
    opened: dict[bytes, int] = {}
    dropped: Counter[bytes] = Counter()
    kept = depth = 0
    for tag in _TAG.finditer(html):
        closes, name = tag[1], tag[2].lower()
        if name in _FLAT:
            continue
        if name not in opened:
            if not _PLAIN_NAME.fullmatch(name):
                # As in `i<n;i++`: no tag of HTML.
                yield html[kept : tag.start()] + b"&lt;"
                kept = tag.start() + 1
                continue
            opened[name] = 0
        if not closes and depth < MAX_DEPTH:
            opened[name] += 1
            depth += 1
        elif not closes:
            dropped[name] += 1
            yield html[kept : tag.start()] + b" "
            kept = tag.end()
        elif dropped and dropped[name]:
            dropped[name] -= 1
            yield html[kept : tag.start()] + b" "
            kept = tag.end()
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
    yield html[kept:]
