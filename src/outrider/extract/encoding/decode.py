"""Decode bytes by their byte order mark, else the HTTP header, else the page's declaration, else a guess."""

import re
from functools import lru_cache

from webencodings import lookup

from outrider.extract.encoding.detect import detect
from outrider.extract.encoding.prescan import prescan

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
_MARKS = tuple(mark for mark, _ in _BOMS)
_PARAMETER = re.compile(r';[\t\n\r ]*([^;=]*)(?:=(?:"((?:[^"\\]|\\.?)*+)"?[^;]*|([^;]*)))?', re.DOTALL)
_MAX_CONTENT_TYPE = 1024

# Where the standard's encoding knows more characters than Python's codec of the same name.
_WIDER_CODECS = {"shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5hkscs", "gbk": "gb18030"}


def charset(body: bytes, content_type: str | None = None) -> str:
    """The WHATWG name, in lower case, of the encoding to read `body` in. There always is one."""
    header = (content_type or "")[:_MAX_CONTENT_TYPE]
    return _bom(body) or _from_header(header) or prescan(body) or detect(body)


def decode(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """The text of `body`, without its byte order mark, and the encoding it was read in.

    Bytes that mean nothing in that encoding become U+FFFD.
    """
    name = charset(body, content_type)
    return _text(_without_bom(body), name), name


def as_utf8(body: bytes, content_type: str | None = None) -> tuple[bytes, str]:
    """`body` as UTF-8 for the parser, and its encoding. UTF-8 and ASCII are returned unchanged."""
    name = charset(body, content_type)
    plain = _without_bom(body)
    if name == "utf-8" or (name == "windows-1252" and plain.isascii()):
        return plain, name
    return _text(plain, name).encode("utf-8", "replace"), name


def _text(body: bytes, name: str) -> str:
    if name == "replacement":
        return "\ufffd" if body else ""
    encoding = lookup(name)
    if encoding is None or encoding.name != name or name in _WIDER_CODECS:
        return body.decode(_WIDER_CODECS.get(name, name), "replace")
    return str(encoding.codec_info.decode(body, "replace")[0])


def _bom(body: bytes) -> str | None:
    if not body.startswith(_MARKS):
        return None  # the usual case
    return next(name for mark, name in _BOMS if body.startswith(mark))


def _without_bom(body: bytes) -> bytes:
    if not body.startswith(_MARKS):
        return body
    return body[next(len(mark) for mark in _MARKS if body.startswith(mark)) :]


@lru_cache(maxsize=256)  # servers have few answers to this
def _from_header(content_type: str) -> str | None:
    for name, quoted, plain in _PARAMETER.findall(content_type):
        label = re.sub(r"\\(.)", r"\1", quoted) or plain
        if name.lower() == "charset" and label:
            encoding = lookup(label) if label.isascii() else None
            return str(encoding.name) if encoding else None
    return None
