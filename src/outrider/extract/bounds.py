"""Take the explosives out of a page before it is parsed.

The HTML standard's tree builder, and so every parser true to it, can be made to work for minutes or to fill
gigabytes by a page of a few kilobytes: by nesting (each <div> looks up the whole stack), by formatting that
is never closed (`<b id=1><p>x<b id=2><p>x…` repeats every open <b> in every paragraph) and by attributes
(each is compared with those before it). Nearly all pages are far from it, which a count of their tags shows
in microseconds. The others are read tag by tag, and lose what nobody would miss.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

MAX_HTML_BYTES = 16 << 20
MAX_DEPTH = 512  # as browsers do
MAX_TAGS = 300_000
MAX_REPEATED = 500_000  # elements that unclosed formatting may add to the tree
MAX_ATTRIBUTES = 2048

# Below these a page cannot cost more than some tens of milliseconds, however it is made.
_FEW_TAGS = 700
_MANY_TAGS = 5000
_LONG_TAG = 16_384

_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_OUTER = frozenset((b"html", b"body"))
_AFTER = (b" ", b"\t", b"\n", b"\f", b"\r", b"/")
# Do not nest: void, closed by their like, or holding text alone. <a> is one, so no link is ever dropped.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr head a p li dt dd option optgroup "
    b"tr td th tbody thead tfoot colgroup rt rp".split()
)
_TAG = re.compile(rb"<(/?)([a-z][^\s/>]*+)([^<>]*+)>?", re.IGNORECASE)
_PLAIN_NAME = re.compile(rb"[a-z0-9:._-]{1,40}")
# By the first two characters of a tag, with bit 5 set: letters are lower-case then, and white space comes to
# look like punctuation. A table, because np.isin takes twice the time.
_STARTS_LIKE_FORMATTING = np.zeros(1 << 16, np.bool_)
_STARTS_LIKE_FORMATTING[
    [
        int.from_bytes(bytes(code | 0x20 for code in (name + after)[:2]))
        for name in _FORMATTING
        for after in _AFTER
    ]
] = True
_FORMATTING_TAG = re.compile(rb"<(?:%b)[\s/]" % b"|".join(sorted(_FORMATTING)), re.IGNORECASE)
_SEPARATOR = re.compile(rb"""=\s*+(?:"[^"]*+"|'[^']*+')|[\s/]++""")


def bounded(html: bytes) -> bytes:
    """`html`, or what is left of it when the rest could not be parsed at a sane cost."""
    html = b"".join(_without_crowded_tags(html[:MAX_HTML_BYTES]))
    opening = np.frombuffer(html, np.uint8) == ord("<")
    tags = int(np.count_nonzero(opening))
    if tags <= _FEW_TAGS:
        return html
    if tags > _MANY_TAGS or _may_repeat(html, opening, MAX_REPEATED // tags):
        return b"".join(_flattened(html))
    return html


def _may_repeat(html: bytes, opening: NDArray[np.bool_], most: int) -> bool:
    """Whether more than `most` formatting tags have attributes; counted one by one only if need be."""
    return _formatting_at_most(html, opening) > most and len(_FORMATTING_TAG.findall(html)) > most


def _formatting_at_most(html: bytes, opening: NDArray[np.bool_]) -> int:
    """No fewer than the formatting tags that have attributes: <i class=…>, and all that start like <font."""
    codes = np.frombuffer(html, np.uint8)
    tags = np.flatnonzero(opening[:-2])
    starts = (codes[tags + 1].astype(np.uint16) << 8 | codes[tags + 2]) | 0x2020
    return int(np.count_nonzero(_STARTS_LIKE_FORMATTING[starts]))


def _without_crowded_tags(html: bytes) -> Iterator[bytes]:
    """The page without tags that have more attributes than any real one."""
    kept = at = 0
    while at < len(html):
        if html.find(b"<", at, at + _LONG_TAG // 2) >= 0:
            at += _LONG_TAG // 2
            continue
        start, end = html.rfind(b"<", kept, at), html.find(b"<", at)
        at = end if end >= 0 else len(html)
        if start >= 0 and _is_crowded(html, start, at):
            yield html[kept:start]
            kept = at
    yield html[kept:] if kept else html


def _is_crowded(html: bytes, start: int, end: int) -> bool:
    closed = html.find(b">", start, end)
    if 0 <= closed <= start + _LONG_TAG or not html[start + 1 : start + 2].isalpha():
        return False
    separators = _SEPARATOR.finditer(html, start, end if closed < 0 else closed)
    return sum(1 for _ in islice(separators, MAX_ATTRIBUTES + 1)) > MAX_ATTRIBUTES


def _flattened(html: bytes) -> Iterator[bytes]:
    """The page without tags nested deeper than `MAX_DEPTH`, cut where its tree would grow beyond measure.

    Tags are counted wherever they seem to stand, in scripts and comments too: a parser can be made to see
    one in almost any place, and real scripts hold too few to matter.
    """
    opened: Counter[bytes] = Counter()
    dropped: Counter[bytes] = Counter()
    kept = depth = formatting = repeated = 0
    for count, tag in enumerate(_TAG.finditer(html)):
        repeated += formatting
        if repeated > MAX_REPEATED or count > MAX_TAGS:
            yield html[kept : tag.start()]
            return
        closes, name, attributes = bool(tag[1]), tag[2].lower(), tag[3]
        if name in _FLAT:
            continue
        if not _PLAIN_NAME.fullmatch(name):
            # As in `i<n;i++`: no tag, or none that anyone would miss.
            yield html[kept : tag.start()] + b"&lt;"
            kept = tag.start() + 1
            continue
        if closes:
            is_surplus = dropped[name] > 0
            dropped[name] -= is_surplus
            is_ours = not is_surplus and opened[name] > 0
            opened[name] -= is_ours
            depth -= is_ours
            formatting -= is_ours and name in _FORMATTING and formatting > 0
        else:
            is_surplus = depth >= MAX_DEPTH or (name in _OUTER and opened[name] > 0)
            dropped[name] += is_surplus
            opened[name] += not is_surplus
            depth += not is_surplus
            formatting += name in _FORMATTING and not is_surplus and len(attributes) > 1
        if is_surplus:
            yield html[kept : tag.start()]
            kept = tag.end()
    yield html[kept:]
