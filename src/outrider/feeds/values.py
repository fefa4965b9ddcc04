"""The content of an element: plain text, or sanitised markup.

A feed may write `<b>` in five ways: as an element, escaped, escaped twice, in a CDATA section, in base64. The
attributes `type` and `mode` decide which. RSS has no such attributes, so its titles count as markup if they
look like markup, and its descriptions always.
"""

import base64
import binascii
import re
from enum import Enum, auto
from html import escape, unescape

from outrider.feeds.limits import MAX_MARKUP
from outrider.feeds.markup import Element
from outrider.feeds.sanitize import KEPT, sanitized
from outrider.feeds.strings import clean, unescaped

_PIECE = re.compile(
    r"<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)"
    r"|<!--.*?(?:-->|\Z)"
    r"|<\?.*?(?:\?>|\Z)"
    r"|(?P<tag></?[a-zA-Z][^<>]*+>)",
    re.DOTALL,
)
_CLOSING_TAG = re.compile(r"</[a-zA-Z][\w:-]*+\s*+>|<[a-zA-Z][^<>]*+>(?<=/>)")
_TAG_NAME = re.compile(r"</?([a-zA-Z][\w:-]*+)")
_REFERENCE = re.compile(r"&(#\d+|#[xX][\da-fA-F]+|\w+);")
_RISKY = re.compile(
    r"<\s*+/?\s*+(?:script|style|iframe|object|embed|applet|svg|math|link|meta|base|form|template|textarea)"
    r"|<[a-z][\w:-]*+[\s/][^<=]*+="  # an attribute
    r"|javascript\s*+:|<!",
    re.IGNORECASE,
)
_WRAPPER = re.compile(r"\A\s*<div\b[^<>]*+>|</div\s*>\s*\Z", re.IGNORECASE)
_PREFIX = re.compile(r"(</?)[a-zA-Z][\w.-]*+:(?=[a-zA-Z])")
_HTML_TYPES = ("html", "text/html", "text/x-html")
_XHTML_TYPES = ("xhtml", "application/xhtml+xml", "xml")


class Guess(Enum):
    """The content of an element without a type."""

    TEXT = auto()
    MARKUP = auto()
    EITHER = auto()  # markup if it looks like markup, else text


def text_of(element: Element) -> str:
    """The text of an element with references and CDATA resolved. Tags are left in."""
    return text_in(element.inner)


def text_in(raw: str) -> str:
    return clean(_characters(raw[:MAX_MARKUP])).strip()


def markup_of(element: Element, guess: Guess, base: str) -> str | None:
    """The sanitised content of an element, or None if it is empty."""
    raw = element.inner[:MAX_MARKUP]
    kind = (element.get("type") or "").strip().lower()
    mode = (element.get("mode") or "").strip().lower()
    if mode == "base64" or _is_media(kind):
        decoded = _from_base64(raw)
        if decoded is not None:
            raw, mode = decoded, "decoded"
        elif element.name == "content":
            return None  # a picture or other media
    if mode == "xml" or (not mode and _is_inline(kind)):
        return sanitized(_inline(raw, is_wrapped=kind == "xhtml"), base) or None
    characters = raw if mode == "decoded" else _characters(raw)
    if guess is Guess.EITHER and not kind:
        characters = _without_double_escapes(characters)
    if kind in _HTML_TYPES or (not kind and _is_markup(characters, guess)):
        return sanitized(characters, base) or None
    return safe_text(characters, base) or None


def _is_inline(kind: str) -> bool:
    return kind in _XHTML_TYPES or kind.endswith(("+xml", "/xml"))


def _is_media(kind: str) -> bool:
    """Whether a type is media other than text, which Atom 1.0 encodes in base64 (RFC 4287, 4.1.3.3).

    Only <content> may have such a type. A title or a summary of such a type is accepted if it is base64.
    """
    return "/" in kind and not kind.startswith("text/") and not _is_inline(kind)


def _from_base64(raw: str) -> str | None:
    """The text that `raw` encodes, or None. A four-letter word is valid base64, but rarely of a text."""
    try:
        text = base64.b64decode("".join(raw.split()), validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    return text if clean(text) == text else None


def _characters(raw: str) -> str:
    """Resolve CDATA and references, keep tags, and remove comments."""
    if "<" not in raw:
        return unescaped(raw) if "&" in raw else raw
    pieces, at = [], 0
    for found in _PIECE.finditer(raw):
        pieces.append(unescaped(raw[at : found.start()]))
        pieces.append(found["cdata"] or found["tag"] or "")
        at = found.end()
    pieces.append(unescaped(raw[at:]))
    return "".join(pieces)


def _inline(raw: str, is_wrapped: bool) -> str:
    """The content of an element as markup. CDATA becomes escaped text."""
    markup = _PIECE.sub(lambda found: escape(found["cdata"] or "", quote=False) + (found["tag"] or ""), raw)
    markup = _PREFIX.sub(r"\1", markup)
    return _WRAPPER.sub("", markup) if is_wrapped else markup


def _is_markup(characters: str, guess: Guess) -> bool:
    if guess is Guess.EITHER:
        return looks_like_markup(characters)
    return guess is Guess.MARKUP


def _without_double_escapes(title: str) -> str:
    """Resolve double escapes such as AT&amp;amp;T, unless that would make a tag."""
    once_more = unescaped(title)
    return title if "<" in once_more else once_more


def looks_like_markup(text: str) -> bool:
    """Whether a text has closing tags or known references, and no tag that HTML does not have."""
    if not _CLOSING_TAG.search(text) and not _REFERENCE.search(text):
        return False
    if any(tag[1].lower() not in KEPT for tag in _TAG_NAME.finditer(text)):
        return False
    return all(unescape(reference[0]) != reference[0] for reference in _REFERENCE.finditer(text))


def safe_text(text: str, base: str) -> str:
    """Plain text. Text that would be harmful if shown as markup is sanitised as markup."""
    text = clean(text).strip()
    return sanitized(text, base) if is_risky(text) else text


def is_risky(text: str) -> bool:
    """Whether a browser would load or run something if the text were shown as markup."""
    return _RISKY.search(text) is not None
