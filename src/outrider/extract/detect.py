"""Guess the encoding of bytes that nobody declared."""

import codecs

from charset_normalizer import from_bytes
from webencodings import lookup

# A guess is made on this much. More changes hardly any verdict and costs tens of milliseconds.
SAMPLE_BYTES = 131_072

# What an undeclared text may be in: the standard's encodings, and the few others still found in old archives.
_CANDIDATES = [
    "ascii utf_8 utf_16 utf_16_le utf_16_be utf_32 utf_32_le utf_32_be",
    "big5 big5hkscs euc_jp euc_kr cp949 johab gb2312 gbk gb18030 hz iso2022_jp iso2022_kr shift_jis cp932",
    "cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp874 tis_620",
    "iso8859_2 iso8859_3 iso8859_4 iso8859_5 iso8859_6 iso8859_7 iso8859_8",
    "iso8859_10 iso8859_13 iso8859_14 iso8859_15 iso8859_16",
    "koi8_r koi8_u mac_roman mac_cyrillic cp855 cp866",
]
_CODECS = " ".join(_CANDIDATES).split()
_WHATWG_NAMES = {
    "big5hkscs": "big5",
    "cp855": "ibm855",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "iso2022_jp": "iso-2022-jp",
    "iso2022_kr": "iso-2022-kr",
    "mac_cyrillic": "x-mac-cyrillic",
    "mac_roman": "macintosh",
    "utf_16": "utf-16le",
    "utf_16_be": "utf-16be",
    "utf_16_le": "utf-16le",
}
_ISO_BYTES = bytes(set(range(256)) - set(range(0x80, 0xA0)))
_ESCAPE = b"\x1b"


def detect(body: bytes) -> str:
    """The likeliest encoding: WHATWG's name for it, or IANA's where the standard does not know it.

    What is valid UTF-8 is UTF-8, whatever else it might be. Plain ASCII is called windows-1252, as
    the standard does for want of a better word.
    """
    sample = body[:SAMPLE_BYTES]
    is_wide = sample.count(0) * 5 > len(sample)  # UTF-16 or UTF-32 without a mark
    if not is_wide:
        if not body.isascii():
            if _is_utf8(body):
                return "utf-8"
        elif _ESCAPE not in body:
            return "windows-1252"
    guess = from_bytes(sample, cp_isolation=_CODECS).best()
    if guess is None or guess.encoding == "ascii":
        return "windows-1252"
    if guess.encoding == "cp1250" and not sample.translate(None, _ISO_BYTES):
        # Central European text in cp1250 has its š and ž among the bytes that ISO 8859 leaves to controls.
        return "iso-8859-2"
    return _name(guess.encoding)


def _is_utf8(body: bytes) -> bool:
    """Valid but for a last character cut short, or damaged here and there in a text that is plainly UTF-8."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
        damaged, beyond_ascii = text.count("\ufffd"), len(body) - len(text)
        return damaged * 50 <= beyond_ascii
    return True


def _name(codec: str) -> str:
    if codec in _WHATWG_NAMES:
        return _WHATWG_NAMES[codec]
    encoding = lookup(codec.replace("_", "-"))
    return str(encoding.name) if encoding else codec.replace("_", "-")
