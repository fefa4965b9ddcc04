"""Follow a channel's redirects within its poll: each hop by its own robots.txt and in its own host's rhythm.

Pages leave redirects to the queue. A channel cannot: whether its stored address moves depends on what is
found at the end, since many a site that gives up its feed redirects the address to its start page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from outrider.crawl.records import note_request
from outrider.crawl.robots.rules import rules_for
from outrider.crawl.visit import Visit
from outrider.fetch.hops import PERMANENT_STATUSES, Chain
from outrider.fetch.outcome import Hop, Outcome
from outrider.fetch.redirects import follow_redirects
from outrider.robots import AGENT
from outrider.urls import host_of, normalize

FORBIDDEN: Literal["forbidden"] = "forbidden"


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a poll ended. Without an outcome a host on the way could not be asked now, or may not be."""

    outcome: Outcome | None
    url: str  # that gave the outcome
    is_forbidden: bool = False  # by the robots.txt of a hop
    moved_to: str | None = None  # the normalised address that permanent redirects lead to


async def follow(visit: Visit, outcome: Outcome) -> Arrival:
    """Go on from the answer a visit got until one that is no redirect, or none that can be followed."""
    start = Chain.start(visit.entry.url)

    async def ask(chain: Chain) -> Outcome | Literal["forbidden"] | None:
        return await _ask(visit, chain.url)

    came = await follow_redirects(start, ask, visit.context.fetching.hop_limits, outcome)
    if not isinstance(came.answer, Outcome):
        return Arrival(None, came.chain.url, is_forbidden=came.answer is FORBIDDEN)
    return Arrival(came.answer, came.chain.url, moved_to=_moved_to(visit.entry.url, came.chain.hops))


def _moved_to(url: str, hops: Sequence[Hop]) -> str | None:
    """The normalised address that permanent redirects lead to; None when they lead nowhere else."""
    permanent = takewhile(lambda hop: hop.status in PERMANENT_STATUSES, hops)
    targets = [target for hop in permanent if (target := normalize(hop.target)) != url]
    return targets[-1] if targets else None


async def _ask(visit: Visit, url: str) -> Outcome | Literal["forbidden"] | None:
    context, entry = visit.context, visit.entry
    async with visit.turn.at(host_of(url)) as turn:
        if turn is None:
            return None
        rules = await rules_for(entry._replace(url=url), visit.plan, turn, context)
        if rules is not None and not rules.allows(AGENT, url):
            return FORBIDDEN
        if rules is None or not await turn.comes():
            return None
        outcome = await turn.ask(visit.handler.request(entry, url))
        note_request(context.flusher.batch, entry, outcome)
        turn.learn(outcome)
        return outcome
