"""Chains of redirects that crawls met: moves, long chains and loops. The joining is pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.fetch.hops import PERMANENT_STATUSES

MOST_HOPS = 5_000  # read for one list
LONGEST_CHAIN = 50

_SQL = Queries.load("outrider.frontier")


@dataclass(frozen=True, slots=True)
class MetHop:
    """One redirect that was met."""

    from_url: str
    to_url: str
    status: int
    first_seen_at: datetime
    last_seen_at: datetime
    times: int


@dataclass(frozen=True, slots=True)
class RedirectChain:
    """The redirects from an address that no other redirect leads to, or around a loop."""

    hops: tuple[MetHop, ...]
    is_loop: bool

    @property
    def start(self) -> str:
        return self.hops[0].from_url

    @property
    def end(self) -> str:
        return self.hops[-1].to_url

    @property
    def is_permanent(self) -> bool:
        """Whether every redirect is permanent: then links to the start may be replaced."""
        return all(hop.status in PERMANENT_STATUSES for hop in self.hops)

    @property
    def last_seen_at(self) -> datetime:
        return max(hop.last_seen_at for hop in self.hops)


async def latest_hops(db: asyncpg.Connection, host_id: int | None) -> list[MetHop]:
    """The redirects that were met last, of one host or of all; bounded."""
    return [MetHop(**dict(row)) for row in await db.fetch(_SQL.latest_hops, host_id, MOST_HOPS)]


def join_hops(hops: Sequence[MetHop]) -> list[RedirectChain]:
    """Join redirects to chains. Of several redirects of one address the latest counts."""
    following: dict[str, MetHop] = {}
    for hop in hops:
        known = following.get(hop.from_url)
        if known is None or known.last_seen_at < hop.last_seen_at:
            following[hop.from_url] = hop
    targets = {hop.to_url for hop in following.values()}
    starts = [url for url in following if url not in targets]
    chains = [_chain(url, following) for url in starts]
    used = {hop.from_url for chain in chains for hop in chain.hops}
    for url in following:  # what is left has no start: loops that only their own redirects lead to
        if url not in used:
            chain = _chain(url, following)
            chains.append(chain)
            used.update(hop.from_url for hop in chain.hops)
    return chains


def _chain(start: str, following: dict[str, MetHop]) -> RedirectChain:
    found: list[MetHop] = []
    seen = {start}
    url = start
    while (hop := following.get(url)) is not None and len(found) < LONGEST_CHAIN:
        found.append(hop)
        url = hop.to_url
        if url in seen:
            return RedirectChain(tuple(found), is_loop=True)
        seen.add(url)
    return RedirectChain(tuple(found), is_loop=False)
