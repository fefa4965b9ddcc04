"""What to call an entry that has no title: the start of its text, else its address."""

import re
from html import unescape

from outrider.feeds.strings import line

_LONGEST = 100
_LOOKED_AT = 4_000
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>?")


def headline(summary: str | None, content: str | None, url: str | None) -> str | None:
    """A line made of sanitised markup or of plain text, where `a < b` is no tag."""
    for markup in (summary, content):
        text = line(_unescaped(_TAG.sub("", (markup or "")[:_LOOKED_AT])), _LOOKED_AT)
        if text:
            return text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + "…"
    return url


def _unescaped(text: str) -> str:
    # A text about markup stays escaped: as a title nobody could tell it from markup.
    return text if "&lt;" in text else unescape(text)
