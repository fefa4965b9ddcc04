"""Random numbers without state: every draw is a function of the seed and its subject."""

import random
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def draw(*about: object) -> float:
    """A number from 0 up to 1, always the same for the same arguments."""
    digest = blake2b("\x1f".join(map(str, about)).encode(), digest_size=8).digest()
    return (int.from_bytes(digest) >> 11) / (1 << 53)


def between(low: float, high: float, *about: object) -> float:
    return low + (high - low) * draw(*about)


def one_of(choices: Sequence[T], *about: object) -> T:
    return choices[int(draw(*about) * len(choices))]


def dice(*about: object) -> random.Random:
    """A generator for many draws about one subject."""
    return random.Random("\x1f".join(map(str, about)))
