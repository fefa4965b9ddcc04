"""The words of a text as numbers, found and hashed without an object for each.

A page of 4,000 words takes a fifth of a millisecond this way, and ten times that word by word. Nothing here
depends on the process or the machine: the numbers may be stored.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_LONGEST_WORD: Final = (
    64  # no language needs more, so this bounds the search without cutting what would count
)
_PIECE: Final = 65_536  # characters at a time
_BASE: Final = 0x9E3779B97F4A7C15
_POWERS: Final = np.cumprod(np.full(_PIECE, _BASE, dtype=np.uint64), dtype=np.uint64)
_INVERSES: Final = np.cumprod(np.full(_PIECE, pow(_BASE, -1, 2**64), dtype=np.uint64), dtype=np.uint64)

_NONE, _LETTER, _ALONE = range(3)
# Scripts written without spaces have no words to find, so each of their characters stands for one.
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
)
_ASCII: Final = np.array(
    [_LETTER if chr(code).isalnum() or code == ord("_") else _NONE for code in range(128)], dtype=np.uint8
)


def word_hashes(text: str, most: int) -> Hashes:
    """A number for each of the first `most` words, whatever their case."""
    found: list[Hashes] = []
    count = 0
    for piece in _pieces(text[: most * _LONGEST_WORD].lower()):
        found.append(_hashes_of(piece))
        count += len(found[-1])
        if count >= most:
            break
    return np.concatenate(found)[:most] if found else np.empty(0, dtype=np.uint64)


def _pieces(text: str) -> Iterator[str]:
    """Cut between words where there is a space to cut at."""
    start = 0
    while start < len(text):
        end = start + _PIECE
        if end < len(text):
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end)) + 1 or end
        yield text[start:end]
        start = end


def _hashes_of(piece: str) -> Hashes:
    codes, kinds = _read(piece)
    is_alone, is_letter = kinds == _ALONE, kinds == _LETTER
    goes_on = is_letter[:-1] & is_letter[1:]  # from a character to the next
    is_first, is_last = is_alone | is_letter, is_alone | is_letter
    is_first[1:] &= ~goes_on
    is_last[:-1] &= ~goes_on
    starts, ends = np.flatnonzero(is_first), np.flatnonzero(is_last) + 1
    # A polynomial over the characters. Sums up to each character give every word's by subtraction, and the
    # inverse power moves it to where it would be at the beginning of the text.
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(codes * _POWERS[: len(codes)], out=sums[1:])
    return (sums[ends] - sums[starts]) * _INVERSES[starts]


def _read(piece: str) -> tuple[NDArray[np.uint8] | NDArray[np.uint32], NDArray[np.uint8]]:
    if piece.isascii():
        narrow = np.frombuffer(piece.encode(), dtype=np.uint8)
        return narrow, _ASCII.take(narrow)
    wide = np.frombuffer(piece.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return wide, _unicode().take(wide, mode="clip")


@cache
def _unicode() -> NDArray[np.uint8]:
    """The kind of each character of the first two planes; made on first use, which takes 20 ms."""
    kinds = np.fromiter(map(str.isalnum, map(chr, range(0x20000))), dtype=np.uint8)
    kinds[ord("_")] = _LETTER
    for first, last in _UNSPACED:
        kinds[first : last + 1] = _ALONE
    kinds[-1] = _ALONE  # stands for the planes above: rarer Chinese characters
    return kinds
