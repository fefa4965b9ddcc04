"""Makes text fit for storage: no control characters, no lone surrogates, bounded length."""

import re
from html import unescape
from html.entities import html5

# References that use the numbers of Windows-1252 instead of Unicode for punctuation.
_MISNUMBERED = {chr(code): bytes((code,)).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_REFERENCE = re.compile(r"&(?:#\d{1,8}|#[xX][\da-fA-F]{1,7}|[a-zA-Z][\da-zA-Z]{1,31});")
# XHTML and HTML have different characters for these two names. XML uses those of XHTML.
_XHTML = {"&lang;": "\u2329", "&rang;": "\u232a"}
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def unescaped(text: str) -> str:
    """XML text or an attribute value with its references resolved.

    A reference needs its semicolon, unlike in HTML: addresses have parameters named `copy` or `lt`.
    """
    return _REFERENCE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    written = found[0]
    if written[1] == "#":
        return unescape(written)
    return _XHTML.get(written) or html5.get(written[1:], written)


def clean(text: str) -> str:
    return text if text.isprintable() else _UNFIT.sub(lambda unfit: _MISNUMBERED.get(unfit[0], ""), text)


def line(text: str | None, most: int) -> str | None:
    """`text` on one line, at most `most` characters long, or None if nothing is left."""
    if not text:
        return None
    # Cut first, so that the search for white space is bounded.
    return " ".join(clean(text[: most * 4]).split())[:most].rstrip() or None
