"""The title of an entry without one: the start of its text, or else its address."""

import re
from html import unescape

from outrider.feeds.strings import line

_LONGEST = 100
_LOOKED_AT = 4_000
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>?")


def headline(summary: str | None, content: str | None, url: str | None) -> str | None:
    """A line from sanitised markup or plain text. `a < b` is no tag."""
    for markup in (summary, content):
        text = line(_unescaped(_TAG.sub("", (markup or "")[:_LOOKED_AT])), _LOOKED_AT)
        if text:
            return text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + "…"
    return url


def _unescaped(text: str) -> str:
    # A text about markup stays escaped: unescaped, it would count as markup.
    return text if "&lt;" in text else unescape(text)
