"""Endless text that reads like a language and never says the same thing twice."""

import random

_ONSETS = ["b", "br", "c", "d", "f", "g", "gr", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "w"]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
_CODAS = ["", "l", "m", "n", "nd", "r", "rt", "s", "st", "t"]


def vocabulary(size: int) -> list[str]:
    """Distinct made-up words, the same ones every time."""
    rng = random.Random(size)
    words: dict[str, None] = {}
    while len(words) < size:
        syllables = (rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(rng.choice((1, 2, 2, 3))))
        words["".join(syllables) + rng.choice(_CODAS)] = None
    return list(words)


_WORDS = vocabulary(3_000)


def prose(seed: str, words: int) -> str:
    """Text that depends on the seed alone; two seeds share hardly three words in a row."""
    return " ".join(random.Random(seed).choices(_WORDS, k=words))
