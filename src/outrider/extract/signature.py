"""Near-duplicates by MinHash: a text becomes 250 bytes, two of them compare in microseconds.

The signature estimates how many three-word shingles two texts share (their Jaccard similarity): 125 values of
16 bits, each the trace of a minimum under one permutation. Five in a row make a band. Texts that are alike
share a whole band nearly always and unrelated ones hardly ever, so a btree over `bands` finds the candidates
and `near_duplicates` confirms them. Nothing here depends on the process or the machine.
"""

import re
from hashlib import blake2b
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

BANDS = 25
ROWS = 5
SHINGLE = 3
MIN_WORDS = 25  # below this a text is a stub, and stubs are never duplicates of each other
MAX_WORDS = 100_000  # a bound on work, not on length: whoever writes more is known by the beginning
ALIKE = 0.64  # estimated similarity that counts: .7 less one and a half standard deviations of the estimate

_PERMUTATIONS = BANDS * ROWS
_BYTES = _PERMUTATIONS * 2
_BAND = ROWS * 2
_CHUNK = 1024  # shingles permuted at once, so that the table stays in the cache

# Scripts written without spaces have no words to find, so each of their characters stands for one.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_DAYS = "mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:r|rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_DATED = re.compile(rf"\d+(?:st|nd|rd|th)?|\b(?:(?P<month>{_MONTHS})|{_DAYS})\b", re.IGNORECASE)


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit of the input over every bit of the output (the finaliser of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


# Multiply by an odd number and add, modulo 2**32: cheap permutations of hashes that are well mixed already.
# The numbers are drawn by the mixer and not by a library, whose generator may change with its version.
_STEPS = np.arange(1, 2 * _PERMUTATIONS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
_DRAWN = _mix(_STEPS).astype(np.uint32)
_FACTORS = _DRAWN[:_PERMUTATIONS, None] | np.uint32(1)
_OFFSETS = _DRAWN[_PERMUTATIONS:, None]


def signature(text: str) -> bytes:
    """The text's signature; empty for a text too short to be anyone's duplicate."""
    hashes = [crc32(word.encode("utf-8", "surrogatepass")) for word in _words(text)]
    if len(hashes) < MIN_WORDS:
        return b""
    shingles = _shingles(np.array(hashes, dtype=np.uint64))
    smallest = np.full(_PERMUTATIONS, np.iinfo(np.uint32).max, dtype=np.uint32)
    for start in range(0, len(shingles), _CHUNK):
        permuted = shingles[start : start + _CHUNK] * _FACTORS + _OFFSETS
        np.minimum(smallest, permuted.min(axis=1), out=smallest)
    # A minimum's high bits are nearly always zero; mixing lets its low ones be heard in the sixteen we keep.
    return (_mix(smallest.astype(np.uint64)) >> np.uint64(48)).astype("<u2").tobytes()


def near_duplicates(a: bytes | str, b: bytes | str) -> bool:
    """Whether two texts, or the signatures of two texts, say nearly the same."""
    first = _rows(signature(a) if isinstance(a, str) else a)
    second = _rows(signature(b) if isinstance(b, str) else b)
    if first is None or second is None:
        return False
    return int(np.count_nonzero(first == second)) >= ALIKE * _PERMUTATIONS


def bands(sig: bytes) -> list[int]:
    """Keys for an index, signed 64 bit: near-duplicates share at least one. None for an empty signature."""
    if len(sig) != _BYTES:
        return []
    return [
        _band_key(number, sig[start : start + _BAND]) for number, start in enumerate(range(0, _BYTES, _BAND))
    ]


def skeleton(text: str) -> str:
    """The text with its numbers and English dates masked: what the pages of a calendar have in common."""
    return _DATED.sub(lambda found: "month" if found["month"] else "day" if found[0].isalpha() else "0", text)


def _words(text: str) -> list[str]:
    # No language needs 64 characters a word, so this bounds the search without cutting what would count.
    return _WORD.findall(text[: MAX_WORDS * 64].lower())[:MAX_WORDS]


def _shingles(words: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The hashes of every run of three words, each once."""
    mixed = _mix(words)
    runs = len(words) - SHINGLE + 1
    joined = mixed[:runs]
    for offset in range(1, SHINGLE):
        joined = _mix(joined * np.uint64(3) + mixed[offset : offset + runs])  # the factor makes order count
    return np.unique((joined >> np.uint64(32)).astype(np.uint32))


def _band_key(band: int, rows: bytes) -> int:
    # The band's number keeps equal rows of different bands apart.
    return int.from_bytes(blake2b(bytes([band]) + rows, digest_size=8).digest(), "big", signed=True)


def _rows(sig: bytes) -> NDArray[np.uint16] | None:
    return np.frombuffer(sig, dtype="<u2") if len(sig) == _BYTES else None
