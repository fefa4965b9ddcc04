"""Remove markup that makes parsing too expensive, before a page is parsed.

The HTML standard's tree builder, and so every parser true to it, can be made to work for minutes or to fill
gigabytes by a page of a few kilobytes: by nesting (each <div> looks up the whole stack), by formatting that
is never closed (`<b id=1><p>x<b id=2><p>x…` repeats every open <b> in every paragraph) and by attributes
(each is compared with those before it). Nearly all pages are far from it, which a count of their tags shows
in microseconds. The others are checked more closely, and lose only abusive markup.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from outrider.extract.tree.nesting import MAX_REPEATED, shallow

MAX_HTML_BYTES = 16 << 20
MAX_TAGS = 300_000
MAX_ATTRIBUTES = 2048

# Below these a page cannot cost more than some tens of milliseconds, however it is made.
_FEW_TAGS = 700
_MANY_TAGS = 5000
_LONG_TAG = 16_384

_FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
_AFTER = (b" ", b"\t", b"\n", b"\f", b"\r", b"/")
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
_FORMATTING_TAG = re.compile(rb"<(?:%b)[\s/][^<>]*+>?" % b"|".join(sorted(_FORMATTING)), re.IGNORECASE)
# A tag that surely ends where it seems to: no bracket in quotes, no quote left open.
_CLEAR_TAG = re.compile(rb"""<(?:="[^"<>]*+"|='[^'<>]*+'|[^<>"'])++>""")
_ATTRIBUTES = re.compile(rb"[\s/].*+", re.DOTALL)
_REPEATS = 3  # of elements alike, the standard repeats no more
# The parser collects the attributes of all <html> and <body> on the first one.
_OUTERMOST_TAG = re.compile(rb"<(?:html|body)[\s/][^<>]*+>?", re.IGNORECASE)
_MAX_OUTERMOST = 16
# With each <option> the parser goes through all that its <select> holds.
_OPTION_TAG = re.compile(rb"</?option(?=[\s/>])[^<>]*+>?", re.IGNORECASE)
_MAX_OPTIONS = 4000
_SEPARATOR = re.compile(rb"""=\s*+(?:"[^"]*+"|'[^']*+')|[\s/]++""")
# In a page of this length brackets in names and quotes could hide more attributes than the parser can take.
_LONG_PAGE = 65_536
# A tag as the parser sees it: only a quote behind an equals sign opens a value, and hides brackets.
_WHOLE_TAG = re.compile(
    rb"""<[a-z](?:[^>="']|=(?:\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)))?+|["'])*+(?:>|\Z)""", re.IGNORECASE
)


def bounded(html: bytes) -> bytes:
    """`html`, without markup that could not be parsed at a bounded cost."""
    html, has_many_tags = trimmed(html)
    return shallow(html) if has_many_tags else html


def trimmed(html: bytes, *, may_be_crowded: bool = True) -> tuple[bytes, bool]:
    """`html` without abusive markup except for nesting, and whether it has tags enough to nest too deep.

    Tags with too many attributes are not looked for where it is known that there is none.
    """
    html = html[:MAX_HTML_BYTES]
    if may_be_crowded:
        html = b"".join(_without_crowded_tags(html))
        if len(html) > _LONG_PAGE:
            html = b"".join(_without_long_tags(html))
    opening = np.frombuffer(html, np.uint8) == ord("<")
    tags = int(np.count_nonzero(opening))
    if tags <= _FEW_TAGS:
        return html, False
    if tags > MAX_TAGS:
        html = html[: int(np.flatnonzero(opening)[MAX_TAGS])]
        opening, tags = opening[: len(html)], MAX_TAGS
    most = MAX_REPEATED // (_REPEATS * tags)
    formatting = _like_formatting(html, opening)
    if len(formatting) > most:
        html = _less_varied(html, formatting, most)
    if tags <= _MANY_TAGS:
        return html, False
    html = b"".join(_at_most(_MAX_OUTERMOST, _OUTERMOST_TAG, html))
    return b"".join(_at_most(_MAX_OPTIONS, _OPTION_TAG, html)), True


def _less_varied(html: bytes, places: Sequence[int], most: int) -> bytes:
    """The page with no more than `most` kinds of formatting tags; others lose their attributes.

    What seems to close a tag is no help: it may stand in a comment, a quote or an <object>. But of tags that
    are alike three are repeated at most, so those that are unlike are all that has to be counted.
    """
    kinds = dict.fromkeys(tag[0] for at in places if (tag := _FORMATTING_TAG.match(html, at)))
    clear = set(islice(filter(_CLEAR_TAG.fullmatch, kinds), most))
    if len(clear) == len(kinds):
        return html
    return _FORMATTING_TAG.sub(
        lambda tag: tag[0] if tag[0] in clear else _ATTRIBUTES.sub(b">", tag[0], 1), html
    )


def _like_formatting(html: bytes, opening: NDArray[np.bool_]) -> list[int]:
    """Where formatting tags that have attributes may stand: <i class=…>, and all that start like <font."""
    codes = np.frombuffer(html, np.uint8)
    tags = np.flatnonzero(opening[:-2])
    starts = (codes[tags + 1].astype(np.uint16) << 8 | codes[tags + 2]) | 0x2020
    return list(tags[_STARTS_LIKE_FORMATTING[starts]].tolist())


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


def _without_long_tags(html: bytes) -> Iterator[bytes]:
    """The page without tags that are long and crowded wherever they end."""
    kept = 0
    for tag in _WHOLE_TAG.finditer(html):
        start, end = tag.span()
        if end - start > _LONG_TAG and _separators(html, start, end) > MAX_ATTRIBUTES:
            yield html[kept:start] + b" "
            kept = end
    yield html[kept:] if kept else html


def _at_most(most: int, tags: re.Pattern[bytes], html: bytes) -> Iterator[bytes]:
    """The page without those of the tags that come after the first `most`."""
    kept = 0
    for tag in islice(tags.finditer(html), most, None):
        yield html[kept : tag.start()] + b" "
        kept = tag.end()
    yield html[kept:] if kept else html


def _is_crowded(html: bytes, start: int, end: int) -> bool:
    closed = html.find(b">", start, end)
    if 0 <= closed <= start + _LONG_TAG or not html[start + 1 : start + 2].isalpha():
        return False
    return _separators(html, start, end if closed < 0 else closed) > MAX_ATTRIBUTES


def _separators(html: bytes, start: int, end: int) -> int:
    """How many attributes there may be, counted no further than needed."""
    return sum(1 for _ in islice(_SEPARATOR.finditer(html, start, end), MAX_ATTRIBUTES + 1))
