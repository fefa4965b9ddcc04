"""Visit an entry that several sources want: one request, judged and read under the plan of each of them.

    pending sources → the plan of each → one request → one answer, settled for each source

The visit serves every source whose standing is pending. The plan of each source judges the page: scope,
depth, robots.txt, page limit. When a plan refuses the page, the page is dead for that source alone. A source
that has reached its page limit stays pending.
"""

from dataclasses import replace
from typing import NamedTuple

from outrider.crawl.decide import Confirm, Dead, Keep
from outrider.crawl.visit import SPENT_S, Visit
from outrider.fetch.outcome import Outcome
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, SourceInterest, SourceResult, State
from outrider.robots import AGENT, Robots


class AdmittedSource(NamedTuple):
    """One source that takes part in a visit, and the robots rules that hold for it."""

    visit: Visit
    rules: Robots


class PlanVerdicts(NamedTuple):
    """The verdicts of the pending sources' plans about the page."""

    admitted: list[AdmittedSource]
    refused: list[tuple[Visit, str]]  # with the reason
    is_spent: bool  # a source has reached its page limit


class SharedVisit(Visit):
    """A visit for every source for which the page is pending."""

    __slots__ = ()

    async def _go(self) -> bool:
        await self.context.runs.load(self.entry.run_id, self.context.connection)
        judged = await self._judge()
        if judged is None:
            return False
        admitted, refused, is_spent = judged
        if is_spent and self._all_held(admitted):
            self._give_back(admitted)
            self.turn.pause(SPENT_S)
            return False
        if not admitted:
            (first, reason), *others = refused
            self._refuse(others)
            return await first._settle(Dead(reason))
        outcome = await self._fetch_for(admitted)
        if outcome is None:
            self._give_back(admitted)
            return False
        return await self._settle_for(admitted, refused, outcome)

    async def _judge(self) -> PlanVerdicts | None:
        """Judge the page by the plan of each source; None when the lane should release the host first."""
        judged = PlanVerdicts([], [], is_spent=False)
        slowest_ms = 0
        for visit in await self._waiting():
            refusal = self.handler.refusal(visit)
            rules = await visit._rules() if refusal is None else Robots.ALLOW_ALL
            if rules is None:
                self._give_back(judged.admitted)
                return None
            slowest_ms = max(slowest_ms, self.turn.state.delay_ms)
            if refusal is None and not rules.allows(AGENT, self.entry.url):
                refusal = DeadReason.ROBOTS_BLOCKED
            if refusal is not None:
                judged.refused.append((visit, refusal))
            elif self.handler.counts_as_page and not await self.context.budget.take(visit.plan):
                judged = judged._replace(is_spent=True)
            else:
                judged.admitted.append(AdmittedSource(visit, rules))
        if slowest_ms > self.turn.state.delay_ms:
            self.turn.change(replace(self.turn.state, delay_ms=slowest_ms))
        return judged

    async def _fetch_for(self, admitted: list[AdmittedSource]) -> Outcome | None:
        """Make one request, under the plan of the first source and counted for all."""
        lead, *others = admitted
        entry = _unconditional(lead.visit.entry, admitted)
        visit = replace(lead.visit, entry=entry, others=tuple(each.visit for each in others))
        return await visit._fetch(lead.rules)

    async def _settle_for(
        self, admitted: list[AdmittedSource], refused: list[tuple[Visit, str]], outcome: Outcome
    ) -> bool:
        """Settle the answer for each source. A redirect may leave the scope of some sources only."""
        decided = [(source, source.visit._decide(outcome, source.rules)) for source in admitted]
        self._give_back([source for source, end in decided if not isinstance(end, Keep | Confirm)])
        going_on = [(source, end) for source, end in decided if not isinstance(end, Dead)]
        if going_on:
            self._refuse([(source.visit, end.reason) for source, end in decided if isinstance(end, Dead)])
        self._refuse(refused)
        (lead, decision), *following = going_on or decided
        visit = replace(lead.visit, others=tuple(source.visit for source, _ in following))
        return await visit._settle(decision, outcome)

    async def _waiting(self) -> list[Visit]:
        """A visit for each pending source, the owner's first; without pending sources the owner's alone."""
        pending = (each for each in self.entry.interests if each.state is State.PENDING)
        interests = [each for each in pending if each.served_with_others]
        interests.sort(key=lambda each: (each.source_id != self.entry.source_id, each.source_id))
        visits = [await self._for(each) for each in interests]
        return visits or [Visit(self.entry, self.plan, self.turn, self.context, self.handler)]

    async def _for(self, interest: SourceInterest) -> Visit:
        is_owner = interest.source_id == self.entry.source_id
        plan = self.plan if is_owner else await self.context.plans.of(interest.source_id)
        return Visit(entry_for(self.entry, interest), plan, self.turn, self.context, self.handler)

    def _all_held(self, sources: list[AdmittedSource]) -> bool:
        """Whether no process works on any of these sources."""
        held = {interest.source_id for interest in self.entry.interests if interest.held}
        return all(source.visit.entry.source_id in held for source in sources)

    def _refuse(self, refused: list[tuple[Visit, str]]) -> None:
        for visit, reason in refused:
            result = SourceResult(self.entry.key, visit.entry.source_id, State.DEAD, reason)
            self.context.flusher.batch.add_source_result(result)

    def _give_back(self, sources: list[AdmittedSource]) -> None:
        """Return the pages that were reserved from the page limits and not fetched."""
        if self.handler.counts_as_page:
            for source in sources:
                self.context.budget.give_back(source.visit.plan)


def entry_for(entry: Entry, interest: SourceInterest) -> Entry:
    """A shared entry with the depth and origin that one of its sources has for it."""
    depth = interest.depth
    if interest.source_id == entry.source_id:
        depth = min(depth, entry.depth)
    return entry._replace(source_id=interest.source_id, depth=depth, origin=interest.origin)


def _unconditional(entry: Entry, sources: list[AdmittedSource]) -> Entry:
    """The entry without validators if a source has not seen the page: a 304 would hide the links from it."""
    seen = {interest.source_id for interest in entry.interests if interest.fetches}
    if all(source.visit.entry.source_id in seen for source in sources):
        return entry
    return entry._replace(etag=None, last_modified=None)
