"""The signature of a text in Python: what the compiled one has to agree with.

Instead of permuting all shingles 128 times, each is thrown into one of 128 bins, and a bin keeps its
smallest. A text too short to fill them all throws its shingles again, hashed anew, and what is still empty
takes from the earliest round that reaches it (Dahlgaard, Knudsen and Thorup, "Fast Similarity Sketching",
2017). The estimate is as good, for a tenth of the time.
"""

from typing import Final

import numpy as np

from outrider.extract.similarity.word_hashes import Hashes, word_hashes
from outrider.text_signatures import VALUES

SHINGLE: Final = 3
MIN_WORDS: Final = 25  # below this a text is a stub, and stubs are never duplicates of each other
MAX_WORDS: Final = 100_000  # a bound on work: of a longer text only the beginning counts

_DENSIFYING_HASHES: Final = 12 * VALUES  # leave a bin empty in one text of a thousand
_EMPTY: Final = np.iinfo(np.uint64).max
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
_BIN_SHIFT: Final = np.uint64(64 - 7)
_ROUND_SHIFT: Final = np.uint64(48)
_WITHIN_ROUND: Final = np.uint64(2**48 - 1)


def reference_signature(text: str | bytes) -> bytes:
    """The signature of a text, given as str or as UTF-8; empty for a text that is too short to compare."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogatepass")
    words = word_hashes(text, MAX_WORDS)
    if len(words) < MIN_WORDS:
        return b""
    shingles = _shingles(words)
    smallest = _bin_minima(shingles, shingles)
    if _EMPTY in smallest:
        smallest = np.where(smallest == _EMPTY, _densified(shingles), smallest)
    return smallest.astype("<u2").tobytes()  # the lowest bits had no say in which is the smallest


def _shingles(words: Hashes) -> Hashes:
    """A number for every run of three words, in which their order counts."""
    runs = len(words) - SHINGLE + 1
    joined = words[:runs]
    for offset in range(1, SHINGLE):
        joined = joined * _SPREAD + words[offset : offset + runs]
    return _mix(joined)


def _bin_minima(hashes: Hashes, worth: Hashes) -> Hashes:
    """What each bin holds: the smallest worth of all that fall into it."""
    smallest = np.full(VALUES, _EMPTY, dtype=np.uint64)
    np.minimum.at(smallest, (hashes >> _BIN_SHIFT).astype(np.intp), worth)
    return smallest


def _densified(shingles: Hashes) -> Hashes:
    """What each bin holds after so many more rounds that hardly one is empty; an earlier one goes first."""
    ordered = np.sort(shingles)
    distinct = ordered[np.append(True, ordered[1:] != ordered[:-1])]
    rounds = np.arange(1, 1 + max(1, _DENSIFYING_HASHES // len(distinct)), dtype=np.uint64)[:, None]
    hashes = _mix(distinct + rounds * _SPREAD)
    return _bin_minima(hashes.ravel(), ((rounds << _ROUND_SHIFT) | (hashes & _WITHIN_ROUND)).ravel())


def _mix(values: Hashes) -> Hashes:
    """Spread every bit of the input over every bit of the output (the finaliser of splitmix64)."""
    values = values ^ (values >> np.uint64(30))
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    values *= np.uint64(0x94D049BB133111EB)
    values ^= values >> np.uint64(31)
    return values
