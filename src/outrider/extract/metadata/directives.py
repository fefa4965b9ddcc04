"""Robots directives of a page: `noindex` and `nofollow`, in its markup and in its HTTP headers."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_MAX_CHARS = 4096
_SEPARATOR = re.compile(r"[,\s]+")
_FOR_AGENT = re.compile(r"\s*([\w.-]+)\s*:(.*)", re.DOTALL)
_WITH_VALUE = frozenset({"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"})


class Directives(NamedTuple):
    noindex: bool = False
    nofollow: bool = False

    def __or__(self, other: object) -> "Directives":
        """The stricter of both directives."""
        if not isinstance(other, Directives):
            return NotImplemented
        return Directives(self.noindex or other.noindex, self.nofollow or other.nofollow)


NO_DIRECTIVES = Directives()


@lru_cache(maxsize=16)
def product_token(agent: str) -> str:
    """`outrider` for `Outrider/0.1 (+https://example.org)`: the name by which pages address a crawler."""
    return agent.split("/", 1)[0].strip().lower()


def from_meta(content: str) -> Directives:
    """The content of one <meta name=robots>."""
    return _of(_SEPARATOR.split(content[:_MAX_CHARS].lower()))


def from_header(x_robots_tag: str | None, agent: str) -> Directives:
    """The X-Robots-Tag header; several of them may arrive joined by commas.

    A crawler's name in front (`otherbot: noindex, nofollow`) rules all that follows it, up to the next name.
    """
    if not x_robots_tag:
        return NO_DIRECTIVES
    addressed = True
    ours: list[str] = []
    for part in x_robots_tag[:_MAX_CHARS].lower().split(","):
        named = _FOR_AGENT.match(part)
        if named and named[1] not in _WITH_VALUE:
            addressed, part = named[1] == product_token(agent), named[2]
        if addressed:
            ours.append(part.strip())
    return _of(ours)


def _of(words: Iterable[str]) -> Directives:
    names = set(words)
    return Directives(
        noindex=not names.isdisjoint(("noindex", "none")),
        nofollow=not names.isdisjoint(("nofollow", "none")),
    )
