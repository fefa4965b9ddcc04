"""Find the encoding a page declares in its own first bytes, the way the HTML standard's prescan does."""

import re

from webencodings import Encoding, lookup

PRESCAN_BYTES = 1024

# A declaration further down still counts, as in a browser that starts over when it meets one.
LATE_BYTES = 65_536

# How most pages begin. Only a shortcut: the full algorithm would come to the same answer.
_USUAL = re.compile(
    rb"""\s*+(?:<!doctype[^>]*+>\s*+)?(?:<html(?:\s++[a-z:-]++="[^"]*+")*+\s*+>\s*+)?(?:<head>\s*+)?"""
    rb"""<meta\scharset="?utf-8"?\s*/?>""",
    re.IGNORECASE,
)
_UTF16_XML = {b"<\x00?\x00x\x00": "utf-16le", b"\x00<\x00?\x00x": "utf-16be"}
_META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
_LATE_META = re.compile(rb"<meta[\t\n\f\r /][^>]{0,1024}charset", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-z][^\t\n\f\r >]*+", re.IGNORECASE)
_BEFORE_NAME = re.compile(rb"[\t\n\f\r /]*+")
_NAME = re.compile(rb"=?[^\t\n\f\r />=]*+")
_EQUALS = re.compile(rb"[\t\n\f\r ]*+=[\t\n\f\r ]*+")
_UNQUOTED = re.compile(rb"[^\t\n\f\r >]*+")
_CHARSET_IN_CONTENT = re.compile(
    rb"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*)"|'([^']*)'|(?!["'])([^\t\n\f\r ;]*))""", re.IGNORECASE
)
_CHARSET_IN_XML = re.compile(
    rb"""<\?xml[^>]*?encoding[\x00-\x20]*+=[\x00-\x20]*+(?:"([^"\x00-\x20]*)"|'([^'\x00-\x20]*)')[^>]*>"""
)


def prescan(body: bytes) -> str | None:
    """The declared encoding's WHATWG name, or None where the page declares none that exists."""
    head = body[:PRESCAN_BYTES]
    if _USUAL.match(head):
        return "utf-8"
    declared = _UTF16_XML.get(head[:6]) or _from_meta_in(head) or _from_xml(head)
    if declared is None and _LATE_META.search(body, 0, LATE_BYTES):
        return _from_meta_in(body[:LATE_BYTES])
    return declared


def _from_meta_in(head: bytes) -> str | None:
    if b"charset" not in head.lower():
        return None
    try:
        return _from_meta(head)
    except _Exhausted:
        return None


class _Exhausted(Exception):
    """The bytes ended in the middle of something; the standard then gives up on what came before."""


def _from_meta(head: bytes) -> str | None:
    at = 0
    while (at := head.find(b"<", at)) >= 0:
        if head.startswith(b"<!--", at):
            at = _find(head, b"-->", at + 2) + 3
        elif meta := _META.match(head, at):
            declared, at = _declared_by(head, meta.end() - 1)
            if declared:
                return declared
        elif tag := _TAG.match(head, at):
            at = _skip_attributes(head, tag.end())
        elif head[at + 1 : at + 2] in (b"!", b"/", b"?"):
            at = _find(head, b">", at) + 1
        else:
            at += 1
    return None


def _declared_by(head: bytes, at: int) -> tuple[str | None, int]:
    """What the attributes of one <meta> declare, and where they end."""
    attributes: dict[bytes, bytes] = {}
    while True:
        name, value, at = _attribute(head, at)
        if not name:
            break
        attributes.setdefault(name, value)
    if "charset" in (names := {name.decode("latin-1") for name in attributes}):
        return _meta_name(attributes[b"charset"]), at
    if "content" in names and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CHARSET_IN_CONTENT.search(attributes[b"content"])
        return _meta_name(_one_of(found) if found else b""), at
    return None, at


def _skip_attributes(head: bytes, at: int) -> int:
    name: bytes | None = b"?"
    while name:
        name, _, at = _attribute(head, at)
    return at


def _attribute(head: bytes, at: int) -> tuple[bytes, bytes, int]:
    """Name, value and end of the next attribute; the name is empty where the tag closes."""
    at = _end(_BEFORE_NAME, head, at)
    if head[at] == ord(">"):
        return b"", b"", at
    end = _end(_NAME, head, at)
    name = head[at:end].lower()
    equals = _EQUALS.match(head, end)
    if equals is None:
        return name, b"", _end(_BEFORE_NAME, head, end)
    at = equals.end()
    if at == len(head):
        raise _Exhausted
    quote = head[at : at + 1]
    if quote in (b'"', b"'"):
        end = _find(head, quote, at + 1)
        return name, head[at + 1 : end], end + 1
    end = _end(_UNQUOTED, head, at)
    return name, head[at:end], end


def _end(pattern: re.Pattern[bytes], head: bytes, at: int) -> int:
    found = pattern.match(head, at)
    if found is None or found.end() == len(head):
        raise _Exhausted
    return found.end()


def _find(head: bytes, what: bytes, at: int) -> int:
    found = head.find(what, at)
    if found < 0:
        raise _Exhausted
    return found


def _from_xml(head: bytes) -> str | None:
    found = _CHARSET_IN_XML.match(head)
    return _meta_name(_one_of(found)) if found else None


def _one_of(found: re.Match[bytes]) -> bytes:
    return next((group for group in found.groups() if group is not None), b"")


def _meta_name(label: bytes) -> str | None:
    encoding: Encoding | None = lookup(label.decode("latin-1"))
    if encoding is None:
        return None
    # A page that can be read as ASCII up to here is not UTF-16, whatever it says.
    if encoding.name in ("utf-16le", "utf-16be"):
        return "utf-8"
    return "windows-1252" if encoding.name == "x-user-defined" else str(encoding.name)
