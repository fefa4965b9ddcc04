"""Clean the short texts of a page: titles, names, descriptions."""

import re

# Controls, lone surrogates (JSON can spell them) and the marks that reorder text around them.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(text: str | None, limit: int) -> str | None:
    """`text` in one line of at most `limit` characters, or None where nothing readable is left."""
    if not text:
        return None
    text = text[: limit * 4]
    if not text.isprintable():  # few are not, and asking is cheaper than the pattern
        text = _UNPRINTABLE.sub("", text)
    return " ".join(text.split())[:limit].rstrip() or None


def printable(text: str) -> str:
    """`text` without control characters and lone surrogates; its lines stay."""
    return _UNPRINTABLE.sub("", text)
