"""Follow a channel's redirects within its poll: each hop by its own robots.txt and in its own host's rhythm.

Pages leave redirects to the queue. A channel cannot: whether its stored address moves depends on what is
found at the end, since many a site that gives up its feed redirects the address to its start page.
"""

from dataclasses import dataclass
from typing import Literal

from outrider.crawl.care import react
from outrider.crawl.desk import AGENT
from outrider.crawl.ledger import note_request
from outrider.crawl.robots.rules import rules_for
from outrider.crawl.visit import Visit
from outrider.fetch.hops import PERMANENT_STATUSES
from outrider.fetch.outcome import Outcome, Redirected
from outrider.urls import host_of

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
    entry, fetching = visit.entry, visit.desk.fetching
    url, moved_to, is_permanent = entry.url, None, True
    passed = {entry.url}
    while isinstance(outcome, Redirected) and fetching.follow_redirects:
        if outcome.target is None or outcome.follow is None or outcome.follow in passed:
            break
        if len(passed) > fetching.max_redirects:
            break
        is_permanent = is_permanent and outcome.exchange.status in PERMANENT_STATUSES
        if is_permanent and outcome.target != entry.url:
            moved_to = outcome.target
        url = outcome.follow
        passed.add(url)
        answer = await _ask(visit, url)
        if not isinstance(answer, Outcome):
            return Arrival(None, url, is_forbidden=answer is FORBIDDEN)
        outcome = answer
    return Arrival(outcome, url, moved_to=moved_to)


async def _ask(visit: Visit, url: str) -> Outcome | Literal["forbidden"] | None:
    desk, entry = visit.desk, visit.entry
    async with visit.turn.at(host_of(url)) as turn:
        if turn is None:
            return None
        rules = await rules_for(entry._replace(url=url), visit.plan, turn, desk)
        if rules is not None and not rules.allows(AGENT, url):
            return FORBIDDEN
        if rules is None or not await turn.comes():
            return None
        outcome = await turn.ask(desk.handlers[entry.kind].request(entry, url))
        note_request(desk.flusher.batch, entry, outcome)
        reaction = react(turn.state, outcome, desk.care)
        turn.change(reaction.state)
        if reaction.pause:
            turn.pause(reaction.pause.total_seconds())
        return outcome
