"""Follows the redirects of a channel within its poll. Each hop obeys robots.txt and the delay of its host.

A page's redirect target is queued. A channel's redirects are followed at once, because its stored URL changes
only if the final target is a channel: many sites that give up their feed redirect it to the start page.
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
class FollowedRedirects:
    """The end of a redirect chain. `outcome` is None if a hop's host was busy or robots.txt forbids it."""

    outcome: Outcome | None
    url: str  # of the last request
    is_forbidden: bool = False  # the robots.txt of a hop forbids it
    moved_to: str | None = None  # the normalised address that permanent redirects lead to


async def follow(visit: Visit, outcome: Outcome) -> FollowedRedirects:
    """Follow redirects from the answer of a visit until an answer is no redirect or cannot be followed."""
    start = Chain.start(visit.entry.url)

    async def ask(chain: Chain) -> Outcome | Literal["forbidden"] | None:
        return await _ask(visit, chain.url)

    came = await follow_redirects(start, ask, visit.context.fetching.hop_limits, outcome)
    if not isinstance(came.answer, Outcome):
        return FollowedRedirects(None, came.chain.url, is_forbidden=came.answer is FORBIDDEN)
    return FollowedRedirects(
        came.answer, came.chain.url, moved_to=_moved_to(visit.entry.url, came.chain.hops)
    )


def _moved_to(url: str, hops: Sequence[Hop]) -> str | None:
    """The normalised address that permanent redirects lead to; None if it is the same address."""
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
        if rules is None or not await turn.wait_until_ready():
            return None
        outcome = await turn.ask(visit.handler.request(entry, url))
        note_request(context.flusher.batch, entry, outcome)
        turn.learn(outcome)
        return outcome
