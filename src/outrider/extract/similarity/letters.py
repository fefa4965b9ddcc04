"""What each character is in a word: a byte for a letter, a number of its own where characters are words.

Nothing here depends on the process or the machine: hashes of these numbers are stored.
"""

from array import array
from functools import cache
from typing import Final, NamedTuple

ALONE: Final = 0x8000  # from here on, a character is a word of its own

_PLANES: Final = 0x20000
# Scripts written without spaces have no words to find, so each of their characters stands for one.
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
)


class LetterTable(NamedTuple):
    """What each character is in a word, for the compiled signature; the last entry is for all beyond."""

    address: int
    length: int
    entries: "array[int]"  # keeps the memory at `address`


@cache
def letter_table(*, is_ascii: bool) -> LetterTable:
    """The table of texts in ASCII, or that of all texts."""
    entries = array("H", iter(ASCII_LETTERS[:128])) if is_ascii else unicode_letters()
    return LetterTable(*entries.buffer_info(), entries)


@cache
def unicode_letters() -> "array[int]":
    """For the characters of the first two planes; made on first use, which takes 30 ms."""
    folded = array("H", bytes(2 * _PLANES))
    for first, last in _UNSPACED:
        folded[first : last + 1] = array("H", (ALONE + code % ALONE for code in range(first, last + 1)))
    for code in range(_PLANES):
        if not folded[code] and _is_letter(code):
            folded[code] = _byte_of(chr(code))
    folded[-1] = ALONE  # stands for the planes above: rarer Chinese characters
    return folded


def _is_letter(code: int) -> bool:
    return chr(code).isalnum() or code == ord("_")


def _byte_of(letter: str) -> int:
    """The same in either case, and never 0."""
    return ord(letter.casefold()[0]) % 255 + 1


ASCII_LETTERS: Final = bytes(_byte_of(chr(code)) if _is_letter(code) else 0 for code in range(128)).ljust(
    256, b"\0"
)
