"""How far we follow redirects: a chain of hops with its end in sight.

The chain remembers addresses exactly as they were requested. `/docs` → `/docs/` is a hop to a server
and one page to us, so comparing normalised URLs would call every directory a loop.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from outrider.fetch.outcome import Hop

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
PERMANENT_STATUSES = frozenset({301, 308})
DEFAULT_MAX_REDIRECTS = 5


class RedirectPolicy(StrEnum):
    """What becomes of an entry whose page has moved."""

    CANONICALISE = "canonicalise"  # the entry takes the final address
    DEAD_AND_SUBMIT = "dead_and_submit"  # the entry ends, the final address becomes a new one


class RedirectScope(StrEnum):
    """How far a redirect of a page may lead."""

    ANY = "any"  # wherever it leads
    SAME_DOMAIN = "same_domain"  # to hosts of the same registrable domain


@dataclass(frozen=True, slots=True)
class Loop:
    """The next address was requested before in this chain. `hops` includes the one that closes it."""

    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class TooMany:
    """The limit is reached. `hops` includes the one not followed."""

    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """The hops from `origin` to `url`, which is what to request now."""

    origin: str
    url: str
    hops: tuple[Hop, ...] = ()
    taken: int = 0  # hops followed on other hosts before this chain came here

    @classmethod
    def start(cls, url: str, *, origin: str | None = None, taken: int = 0) -> "Chain":
        """A chain at its first address, or at the address where another host sent it."""
        return cls(origin=origin or url, url=url, taken=taken)

    @property
    def length(self) -> int:
        """All hops since the origin."""
        return self.taken + len(self.hops)

    def follow(
        self, target: str, status: int, at: datetime, max_redirects: int = DEFAULT_MAX_REDIRECTS
    ) -> "Chain | Loop | TooMany":
        """Take one more hop, or say why not."""
        hops = (*self.hops, Hop(self.url, status, target, at))
        if target == self.origin or any(target == hop.url for hop in hops):
            return Loop(hops)
        if self.length >= max_redirects:
            return TooMany(hops)
        return replace(self, url=target, hops=hops)
