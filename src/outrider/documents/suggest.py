"""Suggests known URLs for a mistyped one. Pure."""

from collections.abc import Sequence
from difflib import get_close_matches

MAX_SUGGESTIONS = 3
MAX_LENGTH = 300  # characters of an address that are compared
_SIMILAR = 0.75


def most_similar(url: str, known: Sequence[str]) -> list[str]:
    """The known URLs that are most similar to `url`."""
    by_start = {each[:MAX_LENGTH]: each for each in known}
    near = get_close_matches(url[:MAX_LENGTH], by_start, MAX_SUGGESTIONS, _SIMILAR)
    return [by_start[each] for each in near]
