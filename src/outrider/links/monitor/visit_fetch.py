"""The requests of a link check within the visit of a lane: under the leases and at the pace of the hosts."""

from outrider.crawl.politeness.fetch_result import FetchEnding, FetchResult, ending_of, reason_of
from outrider.crawl.records import note_request
from outrider.crawl.robots.rules import block_of, rules_for
from outrider.crawl.visit import Visit
from outrider.errors import Conflict
from outrider.fetch import Chain, HopLimits, Outcome, Request
from outrider.fetch.redirects import follow_redirects
from outrider.frontier.dead_reason import DeadReason
from outrider.links.options import LinkOptions
from outrider.robots import AGENT
from outrider.urls import host_of

LONGEST_WAIT_S = 60.0  # for the delay of a host while its lease is held


class VisitFetch:
    """Fetches like `SingleFetch`, with the turn of a visit. `first` is the answer that the visit has got."""

    def __init__(self, visit: Visit, first: Outcome, options: LinkOptions) -> None:
        self._visit = visit
        self._first: Outcome | None = first
        self._limits = HopLimits(options.max_redirects)

    async def run(self, url: str, request: Request = Request("")) -> FetchResult:  # noqa: B008
        """Follow the redirects of an address; raises Conflict if a host is busy or rests."""
        first = self._first if request.is_head and url == self._visit.entry.url else None
        self._first = None if first is not None else self._first

        async def ask(chain: Chain) -> Outcome | FetchResult:
            return await self._ask(chain, request)

        result = await follow_redirects(Chain.start(url), ask, self._limits, first)
        if isinstance(result.answer, FetchResult):
            return result.answer
        ending, message = ending_of(result.answer)
        reason = result.end.reason or reason_of(result.answer)
        return FetchResult(ending, result.chain.url, 0, reason, message, result.end.hops, result.answer)

    async def give_back(self, host: str) -> None:
        """The lane releases its host itself."""

    async def _ask(self, chain: Chain, request: Request) -> Outcome | FetchResult:
        visit, context = self._visit, self._visit.context
        entry = visit.entry._replace(url=chain.url)
        async with visit.turn.at(host_of(chain.url)) as turn:
            if turn is None:
                raise Conflict(f"{host_of(chain.url)} is held by another worker")
            rules = await rules_for(entry, visit.plan, turn, context)
            if rules is None:
                raise Conflict(f"the robots.txt of {host_of(chain.url)} cannot be read now")
            if not rules.allows(AGENT, chain.url):
                message = block_of(chain.url, context).message
                ending = FetchEnding.ROBOTS_BLOCKED
                return FetchResult(ending, chain.url, 0, DeadReason.ROBOTS_BLOCKED, message, chain.hops)
            if context.stopping or turn.wait_s > LONGEST_WAIT_S or not await turn.may_ask():
                raise Conflict(f"{host_of(chain.url)} has to rest")
            outcome = await turn.ask(request._replace(url=chain.url))
            note_request(context.flusher.batch, entry, outcome)
            turn.learn(outcome)
            return outcome
