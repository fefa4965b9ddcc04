"""What stands in an element: plain text, or markup that still has to be made safe.

A feed may write `<b>` in five ways: as an element, escaped, escaped twice, in a CDATA section, in base64. The
element's own word (`type`, `mode`) decides which was meant; RSS has none, so its titles count as markup when
they look like it and its descriptions always.
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
    """What an element holds that does not say."""

    TEXT = auto()
    MARKUP = auto()
    EITHER = auto()  # whatever it looks like


def text_of(element: Element) -> str:
    """The characters in an element, references and CDATA resolved, its markup if any left as it is."""
    return text_in(element.inner)


def text_in(raw: str) -> str:
    return clean(_characters(raw[:MAX_MARKUP])).strip()


def markup_of(element: Element, guess: Guess, base: str) -> str | None:
    """The content of an element, safe to show, or None where there is none."""
    raw = element.inner[:MAX_MARKUP]
    kind = (element.get("type") or "").strip().lower()
    mode = (element.get("mode") or "").strip().lower()
    if mode == "base64" or _is_media(kind):
        decoded = _from_base64(raw)
        if decoded is not None:
            raw, mode = decoded, "decoded"
        elif element.name == "content":
            return None  # a picture, or whatever else is no text
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
    """Whether a type names media other than text, which Atom 1.0 has in base64 (RFC 4287, 4.1.3.3).

    Only <content> may be of such a type. Feeds that say it of a title or a summary are believed as well, as
    long as what stands there is base64.
    """
    return "/" in kind and not kind.startswith("text/") and not _is_inline(kind)


def _from_base64(raw: str) -> str | None:
    """The text that `raw` encodes, or None: a word of four letters is base64 as well, but of no text."""
    try:
        text = base64.b64decode("".join(raw.split()), validate=True).decode()
    except (binascii.Error, ValueError):
        return None
    return text if clean(text) == text else None


def _characters(raw: str) -> str:
    """CDATA as it stands, text unescaped, tags untouched, comments gone."""
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
    """The element's content as one piece of markup: what is CDATA there is text here."""
    markup = _PIECE.sub(lambda found: escape(found["cdata"] or "", quote=False) + (found["tag"] or ""), raw)
    markup = _PREFIX.sub(r"\1", markup)
    return _WRAPPER.sub("", markup) if is_wrapped else markup


def _is_markup(characters: str, guess: Guess) -> bool:
    if guess is Guess.EITHER:
        return looks_like_markup(characters)
    return guess is Guess.MARKUP


def _without_double_escapes(title: str) -> str:
    """AT&T where somebody wrote AT&amp;amp;T; what would turn into a tag is left alone."""
    once_more = unescaped(title)
    return title if "<" in once_more else once_more


def looks_like_markup(text: str) -> bool:
    """Elements that close or references that exist, and no tag that HTML does not know."""
    if not _CLOSING_TAG.search(text) and not _REFERENCE.search(text):
        return False
    if any(tag[1].lower() not in KEPT for tag in _TAG_NAME.finditer(text)):
        return False
    return all(unescape(reference[0]) != reference[0] for reference in _REFERENCE.finditer(text))


def safe_text(text: str, base: str) -> str:
    """Plain text may speak of tags; where it would do harm if taken for markup it is treated as such."""
    text = clean(text).strip()
    return sanitized(text, base) if is_risky(text) else text


def is_risky(text: str) -> bool:
    """Whether plain text holds what a browser would load or run if it were taken for markup."""
    return _RISKY.search(text) is not None
