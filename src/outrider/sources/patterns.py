"""Untrusted regular expressions, searched with a time limit (SEC-11).

A pattern can be written so that one search takes years, or so that compiling it takes all memory.
Its length and its repeats are bounded before it is compiled, and each search has a time limit. A pattern
that exceeds the limit too often is disabled.
"""

import math
import re
from typing import Any, Self

from outrider.errors import InvalidInput

LONGEST_PATTERN = 500
MOST_REPEATS = 50_000  # all counts of a pattern multiplied: {4} times {2} times …
SEARCH_SECONDS = 0.02
TIMEOUTS_ALLOWED = 10

_COUNT = re.compile(r"\{\s*(\d*)\s*(?:,\s*(\d*)\s*)?\}")
_PLAIN = re.compile(r"[^\\.^$*+?{}\[\]|()]+")


class Pattern:
    """One user-supplied expression, ready to be searched for in URLs."""

    __slots__ = ("_literal", "_regex", "text", "timeouts")

    def __init__(self, text: str, compiled: Any) -> None:
        self.text = text
        self.timeouts = 0
        self._regex = compiled
        self._literal = text if _PLAIN.fullmatch(text) else None

    @classmethod
    def compile(cls, text: str) -> Self:
        """Check and compile; raises InvalidInput with the position of the error."""
        import regex  # type: ignore[import-untyped]  # slow to import, and most sources have no pattern

        shown = text if len(text) <= 60 else text[:60] + "…"
        if len(text) > LONGEST_PATTERN:
            raise InvalidInput(
                f"the pattern {shown!r} has {len(text)} characters, more than the {LONGEST_PATTERN} allowed"
            )
        if _repeats(text) > MOST_REPEATS:
            raise InvalidInput(f"the pattern {shown!r} repeats too much: its counts multiply to millions")
        try:
            return cls(text, regex.compile(text))
        except regex.error as error:
            where = "" if error.pos is None else f" at character {error.pos + 1}"
            raise InvalidInput(f"the pattern {shown!r} is not valid{where}: {error.msg}") from error
        except (RecursionError, ValueError, OverflowError) as error:
            raise InvalidInput(f"the pattern {shown!r} is too complicated") from error

    @property
    def disabled(self) -> bool:
        """Whether the pattern exceeded the time limit too often and is no longer searched."""
        return self.timeouts >= TIMEOUTS_ALLOWED

    def search(self, url: str) -> bool:
        """Whether the pattern occurs anywhere in the URL. A timeout counts as no."""
        if self._literal is not None:
            return self._literal in url
        if self.disabled:
            return False
        try:
            return self._regex.search(url, timeout=SEARCH_SECONDS) is not None
        except TimeoutError:
            self.timeouts += 1
            return False


def _repeats(text: str) -> int:
    """An upper bound for how often the pattern's parts are unrolled."""
    counts = (int(high or low or 1) for low, high in _COUNT.findall(text))
    return math.prod(max(count, 1) for count in counts)
