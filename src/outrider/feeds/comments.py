"""Removes comments from a text in chunks: sites comment out entries that no longer count."""

import re
from collections.abc import Iterable, Iterator

_COMMENT = "<!--"
_ENDS = {_COMMENT: "-->", "<![CDATA[": "]]>"}
_BEGIN = re.compile("|".join(map(re.escape, _ENDS)))
# The end of a chunk may split a mark.
_HALF_BEGIN = max(map(len, _ENDS)) - 1
_HALF_END = max(map(len, _ENDS.values())) - 1


def without_comments(texts: Iterable[str]) -> Iterator[str]:
    """The text without comments, in one pass. CDATA contains no comments."""
    held = within = ""
    for text in texts:
        held += text
        kept, at, within = _pass(held, within)
        yield "".join(kept)
        held = held[at:]
    if within != _COMMENT:
        yield held


def _pass(text: str, within: str) -> tuple[list[str], int, str]:
    """The kept part of `text`, the position where reading stopped, and the construct open there."""
    kept: list[str] = []
    at = 0
    while True:
        if within:
            found = text.find(_ENDS[within], at)
            end = found + len(_ENDS[within]) if found >= 0 else max(at, len(text) - _HALF_END)
            if within != _COMMENT:
                kept.append(text[at:end])
            at = end
            if found < 0:
                return kept, at, within
            within = ""
        begin = _BEGIN.search(text, at)
        if begin is None:
            end = max(at, len(text) - _HALF_BEGIN)
            kept.append(text[at:end])
            return kept, end, ""
        within = begin[0]
        kept.append(text[at : begin.start() if within == _COMMENT else begin.end()])
        at = begin.end()
