"""The rules for following redirects, the same for every kind of request.

`refusal_of_hop` has the rules. `Chain` applies them within one fetch, and a visit applies them to its entry.
The chain remembers addresses exactly as they were requested. `/docs` → `/docs/` is a hop, although both have
the same normalised URL, so comparing normalised URLs would report a loop for every directory.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from outrider.fetch.outcome import Hop, Outcome, Redirected

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
PERMANENT_STATUSES = frozenset({301, 308})
SAME_METHOD_STATUSES = frozenset({307, 308})  # other redirects turn a form into a GET
DEFAULT_MAX_REDIRECTS = 5

NOT_FOLLOWED = "redirect_not_followed"
LOOP = "redirect_loop"
TOO_MANY = "too_many_redirects"


class RedirectPolicy(StrEnum):
    """What happens to an entry whose page has moved."""

    CANONICALISE = "canonicalise"  # the entry takes the final address
    DEAD_AND_SUBMIT = "dead_and_submit"  # the entry ends, the final address becomes a new one


class RedirectScope(StrEnum):
    """How far a redirect of a page may lead."""

    ANY = "any"  # to any host
    SAME_DOMAIN = "same_domain"  # to hosts of the same registrable domain


class HopLimits(NamedTuple):
    """The limits for the redirects of one address."""

    most: int = DEFAULT_MAX_REDIRECTS
    follow: bool = True
    statuses: frozenset[int] = REDIRECT_STATUSES  # any other redirect is taken as the answer


def refusal_of_hop(limits: HopLimits, *, taken: int, is_known: bool) -> str | None:
    """Why the next hop is not followed; None when it is.

    `taken` counts the hops followed so far. `is_known` says that the chain has been at the target before.
    """
    if not limits.follow:
        return NOT_FOLLOWED
    if is_known:
        return LOOP
    if taken >= limits.most:
        return TOO_MANY
    return None


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """The end of a chain. `reason` says why a redirect is not followed; None: there is no redirect."""

    reason: str | None
    hops: tuple[Hop, ...]  # a hop that exceeds the limit, or closes a loop, is included


@dataclass(frozen=True, slots=True)
class Chain:
    """The hops from `origin` to `url`, the address to request next."""

    origin: str
    url: str
    hops: tuple[Hop, ...] = ()
    taken: int = 0  # hops followed on other hosts before this chain began

    @classmethod
    def start(cls, url: str, *, origin: str | None = None, taken: int = 0) -> "Chain":
        """A chain at its first address, or at an address that another host redirected to."""
        return cls(origin=origin or url, url=url, taken=taken)

    @property
    def length(self) -> int:
        """All hops since the origin."""
        return self.taken + len(self.hops)

    def after(self, outcome: Outcome, limits: HopLimits, at: datetime) -> "Chain | ChainEnd":
        """The chain after the response to the request for `url`."""
        if not isinstance(outcome, Redirected) or outcome.follow is None:
            return ChainEnd(None, self.hops)
        if outcome.exchange.status not in limits.statuses:
            return ChainEnd(None, self.hops)
        return self.follow(outcome.follow, outcome.exchange.status, at, limits)

    def follow(self, target: str, status: int, at: datetime, limits: HopLimits) -> "Chain | ChainEnd":
        """Follow one more hop, or return why not."""
        hops = (*self.hops, Hop(self.url, status, target, at))
        is_known = target == self.origin or any(target == hop.url for hop in hops)
        refusal = refusal_of_hop(limits, taken=self.length, is_known=is_known)
        if refusal is None:
            return replace(self, url=target, hops=hops)
        return ChainEnd(refusal, self.hops if refusal == NOT_FOLLOWED else hops)
