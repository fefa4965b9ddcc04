"""Guess the encoding of bytes without a declaration."""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from webencodings import lookup

from outrider.extract.encoding.latin import LATIN_CODECS, latin_fits

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

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
_LATIN = LATIN_CODECS | {"iso8859_10", "iso8859_14"}
_NONSENSE = 0.1
_PLAIN_LATIN = 0.7
# No character of several bytes has any of these in it.
_MARKS = (b"\n", b" ", b"<", b">")
_MARK = re.compile(b"[\n <>]")
_MOST_PARTS = 8
_LEAST_PART = 512
_ASCII = bytes(range(128))
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
        sample = _whole_characters(sample)
    guess = _guess(sample) or _guess_in_parts(sample)
    if guess is None or guess.encoding == "ascii":
        return "windows-1252"
    return _name(_latin_instead(sample, guess) or guess.encoding)


def _whole_characters(sample: bytes) -> bytes:
    """Without its end, if that may be half a character: no encoding of several bytes would seem to fit."""
    end = max(sample.rfind(mark) for mark in _MARKS) + 1
    is_end_needed = len(sample[end:].translate(None, _ASCII)) * 10 > len(sample.translate(None, _ASCII))
    return sample if is_end_needed else sample[:end]


def _guess(sample: bytes) -> "CharsetMatch | None":
    from charset_normalizer import from_bytes  # slow to import, and nearly all pages state their encoding

    return from_bytes(sample, cp_isolation=_CODECS).best()


def _guess_in_parts(sample: bytes) -> "CharsetMatch | None":
    """What most parts of a text seem to be in. One damaged byte rules out an encoding only for its part."""
    guesses = [guess for part in _parts(sample) if (guess := _guess(part)) and guess.encoding != "ascii"]
    seen = Counter(guess.encoding for guess in guesses)
    return max(guesses, key=lambda guess: seen[guess.encoding], default=None)


def _parts(sample: bytes) -> Iterator[bytes]:
    start = 0
    parts = max(2, min(_MOST_PARTS, len(sample) // _LEAST_PART))
    for number in range(1, parts + 1):
        found = _MARK.search(sample, number * len(sample) // parts)
        end = found.end() if found else len(sample)
        if end > start:
            yield sample[start:end]
        start = end


def _latin_instead(sample: bytes, guess: "CharsetMatch") -> str | None:
    """A better guess where the first was only one of many Latin encodings, or made little sense."""
    if guess.encoding not in _LATIN and guess.chaos < _NONSENSE:
        return None
    fits = latin_fits(sample)
    best = max(fits, key=fits.__getitem__)
    to_beat = fits.get(guess.encoding, 0.0) if guess.encoding in _LATIN else _PLAIN_LATIN
    return best if fits[best] and fits[best] >= to_beat else None


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
