"""Rate limits: which limits a request has, and what is the same for all stores of hits. Pure but for `take`.

A window slides: of the last minute at most `limit` requests are allowed. A refused request does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Protocol

import asyncpg

from outrider.auth.metrics import AuthMetrics
from outrider.auth.model import ANONYMOUS, Principal, Role
from outrider.auth.options import AuthOptions
from outrider.errors import TooManyRequests

_LONGEST_ADDRESS = 100


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A limit, and the caller that it counts for."""

    name: str
    key: str
    limit: int


@dataclass(frozen=True, slots=True)
class Allowed:
    """A request within its limits: how many more may follow, and when the window is empty of one again."""

    remaining: int
    limit: int
    reset_s: float


@dataclass(frozen=True, slots=True)
class WindowState:
    """What a store says of one request: whether it is allowed, and the state of the window."""

    is_allowed: bool
    hits: int
    reset_s: float  # until the oldest request leaves the window


class RateLimitStore(Protocol):
    """Counts requests."""

    async def hit(self, db: asyncpg.Connection, key: str, limit: int) -> WindowState:
        """Count a request unless the window is full; atomic."""

    async def close(self) -> None: ...


def limits_for(
    principal: Principal, address: str | None, options: AuthOptions, *, adds_seeds: bool = False
) -> list[RateLimit]:
    """The limits of a request, the strictest first. Another service of ours has none."""
    who = _caller(principal, address)
    limits = [RateLimit("seeds", f"seeds:{who}", options.seed_limit)] if adds_seeds else []
    match principal.role:
        case Role.ADMIN:
            limits.append(RateLimit("admin", who, options.admin_limit))
        case Role.USER:
            limits.append(RateLimit("user", who, options.user_limit))
        case Role.SITE:
            limits.append(RateLimit("site", who, options.site_limit))
        case Role.ANONYMOUS:
            limits.append(RateLimit("anonymous", who, options.anonymous_limit))
        case Role.SERVICE:
            return []
    return sorted(limits, key=lambda each: each.limit)


def refused_limit(address: str | None, options: AuthOptions) -> RateLimit:
    """The limit of requests with credentials that are not valid.

    It is that of a user, by address and in a window of its own: a program with an old token must not keep the
    people at its address from signing in.
    """
    return RateLimit("refused", f"refused:{_caller(ANONYMOUS, address)}", options.user_limit)


async def take(
    db: asyncpg.Connection, store: RateLimitStore, limits: Sequence[RateLimit], metrics: AuthMetrics
) -> Allowed | None:
    """Count a request under all its limits; returns the one that is nearest to its end, None without limits.

    Raises TooManyRequests if one is exceeded. The strictest limit is asked first, and a refused request is
    not counted under the others.
    """
    nearest: Allowed | None = None
    for each in limits:
        state = await store.hit(db, each.key, each.limit)
        if not state.is_allowed:
            metrics.count_rate_limited(each.name)
            wait_s = max(1, ceil(state.reset_s))
            raise TooManyRequests(
                f"there were more than {each.limit:,} requests in a minute: wait {wait_s} s and try again",
                wait_s,
            )
        allowed = Allowed(max(0, each.limit - state.hits), each.limit, state.reset_s)
        if nearest is None or allowed.remaining < nearest.remaining:
            nearest = allowed
    return nearest


def address_group(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 network that one IPv6 customer has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:_LONGEST_ADDRESS]
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ip_network((int(parsed), 64), strict=False))
    return str(parsed)


def _caller(principal: Principal, address: str | None) -> str:
    if principal.user_id is not None:
        return f"user:{principal.user_id}"
    if principal.site_id is not None:
        return f"site:{principal.site_id}"
    return f"address:{address_group(address or 'unknown')}"
