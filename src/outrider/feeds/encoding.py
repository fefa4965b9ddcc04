"""Decodes the bytes of a feed or sitemap.

The order is that of the standards: byte order mark, HTTP header, XML declaration, UTF-8. Declarations are
often wrong, so a declaration counts only if it decodes the bytes. A single-byte encoding decodes any bytes,
so UTF-8 wins over it if the bytes are valid UTF-8.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from email.message import Message
from itertools import chain

from webencodings import lookup

from outrider.extract.encoding.detect import detect
from outrider.feeds.strings import words
from outrider.feeds.vietnamese import vietnamese_codec

codecs.register(vietnamese_codec)

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# How "<?xm" or "<rss" begins in encodings that do not contain ASCII.
_SHAPES = (
    (re.compile(rb"<\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\0<"), "utf-32-be"),
    (re.compile(rb"<\0[^\0]\0"), "utf-16-le"),
    (re.compile(rb"\0<\0[^\0]"), "utf-16-be"),
    (re.compile(rb"\x4c\x6f\xa7\x94"), "cp037"),
)
_DECLARATION = re.compile(r"""\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']\s*([\w.:-]{1,40})\s*["']""")
_DECLARATION_BYTES = 512
_HEAD_BYTES = 65_536
_NOT_CHARSETS = words("idna punycode unicode-escape raw-unicode-escape undefined utf-7 mbcs oem")
# The web's encodings of these names have more characters than Python's codecs.
_WIDER = {"shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5hkscs", "gbk": "gb18030"}
# Names that Windows programs use for code pages. Neither the web's list nor Python has them.
_WINDOWS = {
    "ms-ee": "cp1250",
    "ms-cyrl": "cp1251",
    "ms-ansi": "cp1252",
    "ms-greek": "cp1253",
    "ms-turk": "cp1254",
    "ms-hebr": "cp1255",
    "ms-arab": "cp1256",
    "winbaltrim": "cp1257",
}
_MAX_CONTENT_TYPE = 1024


def decoded(body: bytes, content_type: str | None) -> str:
    """The text of `body`. Bytes that cannot be decoded become U+FFFD."""
    codec, mark = _codec_of(body, content_type, is_all=True)
    return body[mark:].decode(codec, "replace")


def decoded_chunks(chunks: Iterable[bytes], content_type: str | None) -> Iterator[str]:
    """The text of a body in chunks. The first bytes decide about the encoding."""
    rest = iter(chunks)
    head = b""
    for chunk in rest:
        head += chunk
        if len(head) >= _HEAD_BYTES:
            break
    codec, mark = _codec_of(head, content_type, is_all=False)
    decoder = codecs.getincrementaldecoder(codec)("replace")
    for chunk in chain((head[mark:],), rest):
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _codec_of(body: bytes, content_type: str | None, *, is_all: bool) -> tuple[str, int]:
    """Python's name of the encoding, and the length of the byte order mark."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name, len(mark)
    for codec in _candidates(body, content_type):
        try:
            codecs.getincrementaldecoder(codec)().decode(body, final=is_all)
        except UnicodeError:
            continue
        return codec, 0
    guess = _codec(detect(body))
    # `_SHAPES` has already found encodings that do not contain ASCII.
    return guess if guess and "<".encode(guess) == b"<" else "cp1252", 0


def _candidates(body: bytes, content_type: str | None) -> Iterator[str]:
    shape = next((name for pattern, name in _SHAPES if pattern.match(body)), None)
    declared = _codec(_declared(body, shape or "latin-1"))
    if shape:
        # The declaration looks the same in all EBCDIC encodings, so it can name the right one.
        yield declared if declared and shape == "cp037" else shape
    for codec in (_codec(_header_charset(content_type)), declared):
        if codec:
            if _reads_anything(codec):
                yield "utf-8"
            yield codec
    yield "utf-8"


def _declared(body: bytes, shape: str) -> str | None:
    found = _DECLARATION.match(body[:_DECLARATION_BYTES].decode(shape, "replace"))
    return found[1] if found else None


def _header_charset(content_type: str | None) -> str | None:
    if not content_type or "charset" not in content_type.lower():
        return None
    message = Message()
    message["content-type"] = re.sub(r"[\r\n]", " ", content_type[:_MAX_CONTENT_TYPE])
    charset = message.get_param("charset")
    return charset if isinstance(charset, str) else None


def _codec(label: str | None) -> str | None:
    """Python's name of an encoding, by the web's labels first; None if it is no text encoding."""
    if not label or not label.isascii():
        return None
    known = lookup(label)
    name = _WIDER.get(known.name, known.codec_info.name) if known else _WINDOWS.get(label.lower(), label)
    try:
        info = codecs.lookup(name)
        "<".encode(info.name)
        codecs.getincrementaldecoder(info.name)
    except (LookupError, ValueError, AttributeError):
        return None
    return None if info.name.replace("_", "-") in _NOT_CHARSETS else info.name


def _reads_anything(codec: str) -> bool:
    """Whether an encoding has one byte a character, so that it decodes nearly any bytes."""
    return len("あ".encode(codec, "replace")) == 1
