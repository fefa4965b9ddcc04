"""Turns good and bad examples into worse ones. All chance comes from the dice it is given."""

import random
import re
from collections.abc import Callable, Sequence

LONGEST = 1 << 16
MOST_CHANGES = 6
_ODD = (
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\r\n",
    b"\n\n",
    b"%00",
    b"%",
    b"&",
    b"<",
    b'"',
    b"-1",
)
_VALUE = re.compile(rb'(?<=")[^"\n]{1,200}(?=")|(?<=>)[^<]{1,200}(?=<)')
_NUMBERS = (b"0", b"9" * 20, b"-1", b"1e999", b"0x7f", "٣".encode())

Change = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def mutated(dice: random.Random, corpus: Sequence[bytes]) -> bytes:
    """One of the corpus after a few changes."""
    data = dice.choice(corpus)
    for _ in range(dice.randint(1, MOST_CHANGES)):
        data = dice.choice(_CHANGES)(dice, data, corpus)[:LONGEST]
    return data


def _flip(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    at = dice.randint(0, max(len(data) - 1, 0))
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def _insert(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    at = dice.randint(0, len(data))
    return data[:at] + dice.choice(_ODD) + data[at:]


def _drop(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(dice, data)
    return data[:start] + data[end:]


def _repeat(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(dice, data)
    return data[:end] + data[start:end] * dice.choice((1, 2, 50)) + data[end:]


def _cut(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    return data[: dice.randint(0, len(data))]


def _splice(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(dice, other := dice.choice(corpus))
    at = dice.randint(0, len(data))
    return data[:at] + other[start:end] + data[at:]


def _renumber(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    digits = [at for at, byte in enumerate(data) if 48 <= byte <= 57]
    if not digits:
        return data
    at = dice.choice(digits)
    return data[:at] + dice.choice(_NUMBERS) + data[at + 1 :]


def _spoil_value(dice: random.Random, data: bytes, corpus: Sequence[bytes]) -> bytes:
    """What is quoted or marked up changes, and what is around it can still be read."""
    values = [found.span() for found in _VALUE.finditer(data)]
    if not values:
        return data
    start, end = dice.choice(values)
    at = dice.randint(start, end)
    return data[:at] + dice.choice((*_ODD, *_NUMBERS)) + data[dice.randint(at, end) :]


def _span(dice: random.Random, data: bytes) -> tuple[int, int]:
    start = dice.randint(0, len(data))
    return start, dice.randint(start, min(len(data), start + 200))


_CHANGES: Sequence[Change] = (_flip, _insert, _drop, _repeat, _cut, _splice, _renumber, _spoil_value)
