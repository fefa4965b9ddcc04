"""Tell the encodings of the Latin alphabet apart by the accented letters that a language has.

Any byte is a letter in most of them, so what counts is whether all the letters of a text belong to one
language: `ì è ø ù` are fine letters that no language has together, while `ě č ř ů` are Czech.
"""

from collections import Counter
from functools import cache

_ESTONIAN = "äõöüšž"
_WESTERN = (
    "£é",
    "äöüß",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúü¡¿ªº",
    "áâãàçéêíóôõúüªº",
    "àèéìíîòóùú",
    "ëéïöüèêáó",
    "æøåéèóòôü",
    "åäöéàü",
    "áðéíóúýþæö",
    "àçèéíïòóúü·",
    _ESTONIAN,
)
_CENTRAL = ("áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "čćđšž", "ăâîşţ")
_BALTIC = ("ąčęėįšųūž", "āčēģīķļņšūž", _ESTONIAN)
_TURKISH = (frozenset((*"çğıöşüâîû", "İ".lower())),)
# The likelier ones first, as on the web: they win where the letters leave a choice.
_ALPHABETS = {
    "cp1252": _WESTERN,
    "iso8859_2": _CENTRAL,
    "cp1250": _CENTRAL,
    "cp1254": _TURKISH,
    "cp1257": _BALTIC,
    "iso8859_15": _WESTERN,
    "iso8859_13": _BALTIC,
    "iso8859_4": _BALTIC,
    "iso8859_16": ("ăâîșț",),
    "iso8859_3": ("ĉĝĥĵŝŭ", "ċġħżàèìòù", *_TURKISH),
    "cp1258": ("ăâđêôơưàáèéíóúù\u0300\u0301\u0303\u0309\u0323",),
}
LATIN_CODECS = frozenset(_ALPHABETS)
# Any language has them, so they say less.
_SIGNS = frozenset("\xa0’‘“”„–—…«»‹›°€§©®™•·†‡‰")
_ASCII = bytes(range(128))


def latin_fits(sample: bytes) -> dict[str, float]:
    """How well each encoding fits, by Python's name: the share of letters that one of its languages has."""
    seen = Counter(sample.translate(None, _ASCII))
    return {codec: _fit(seen, codec) for codec in _ALPHABETS}


def _fit(seen: Counter[int], codec: str) -> float:
    upper_half = _upper_half(codec)
    letters: Counter[str] = Counter()
    for byte, count in seen.items():
        letters[upper_half[byte]] += count
    known = max(
        sum(count for letter, count in letters.items() if letter in alphabet)
        for alphabet in _ALPHABETS[codec]
    )
    signs = sum(count for letter, count in letters.items() if letter in _SIGNS)
    return (known + signs / 2) / max(1, letters.total())


@cache
def _upper_half(codec: str) -> dict[int, str]:
    """The lower-case letter of every byte beyond ASCII."""
    return {byte: bytes((byte,)).decode(codec, "replace").lower() for byte in range(128, 256)}
