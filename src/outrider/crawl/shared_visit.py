"""Visit an entry that several sources want: one request, judged and read under the plan of each of them.

    who waits → what each plan says → one request → one answer, settled for each

A source is served when it waits for a visit (its standing is pending). It is judged by its own plan: scope,
depth, robots.txt, page limit. A source whose plan refuses the page takes no part, and the page is dead for it
alone. A source that has no pages left goes on waiting.
"""

from dataclasses import replace
from typing import NamedTuple

from outrider.crawl.decide import Confirm, Dead, Keep
from outrider.crawl.desk import AGENT
from outrider.crawl.handler import Handler
from outrider.crawl.visit import SPENT_S, Visit
from outrider.frontier.model import Entry, Standing, State, Stood
from outrider.robots import Robots


class Party(NamedTuple):
    """One source that takes part in a visit, and the rules it goes by."""

    visit: Visit
    rules: Robots


class SharedVisit(Visit):
    """A visit for every source that waits for the page."""

    async def _go(self, handler: Handler) -> bool:
        admitted: list[Party] = []
        refused: list[tuple[Visit, str]] = []
        is_spent = False
        slowest_ms = 0
        for visit in await self._waiting():
            refusal = handler.refusal(visit)
            if refusal is None:
                rules = await visit._rules()
                if rules is None:
                    self._give_back(handler, admitted)
                    return False
                slowest_ms = max(slowest_ms, self.turn.state.delay_ms)
                if not rules.allows(AGENT, self.entry.url):
                    refusal = "robots_blocked"
                elif handler.counts_as_page and not await self.desk.budget.take(visit.plan):
                    is_spent = True
                else:
                    admitted.append(Party(visit, rules))
            if refusal is not None:
                refused.append((visit, refusal))
        if slowest_ms > self.turn.state.delay_ms:
            self.turn.change(replace(self.turn.state, delay_ms=slowest_ms))
        if is_spent and self._all_held(admitted):
            self._give_back(handler, admitted)
            self.turn.pause(SPENT_S)
            return False
        if not admitted:
            (first, reason), *also_refused = refused
            self._refuse(also_refused)
            return await first._settle(Dead(reason))
        lead, *others = admitted
        visit = lead.visit._replace(
            entry=_unconditional(lead.visit.entry, admitted), others=tuple(each.visit for each in others)
        )
        outcome = await visit._fetch(lead.rules)
        if outcome is None:
            self._give_back(handler, admitted)
            return False
        ends = [party.visit._decide(outcome, party.rules) for party in admitted]
        decided = list(zip(admitted, ends, strict=True))
        self._give_back(handler, [party for party, end in decided if not isinstance(end, Keep | Confirm)])
        # A redirect may lead out of the scope of some of them, and on for the others.
        going_on = [(party, end) for party, end in decided if not isinstance(end, Dead)]
        if going_on:
            refused += [(party.visit, end.reason) for party, end in decided if isinstance(end, Dead)]
        (leading, decision), *following = going_on or decided
        self._refuse(refused)
        visit = leading.visit._replace(others=tuple(party.visit for party, _ in following))
        return await visit._settle(decision, outcome)

    async def _waiting(self) -> list[Visit]:
        """A visit for each source that waits, the first owner before the others; the owner's if none does."""
        standings = [each for each in self.entry.standings if each.state is State.PENDING and each.enabled]
        standings.sort(key=lambda each: (each.source_id != self.entry.source_id, each.source_id))
        visits = [await self._for(each) for each in standings]
        return visits or [Visit(self.entry, self.plan, self.turn, self.desk)]

    async def _for(self, standing: Standing) -> Visit:
        is_owner = standing.source_id == self.entry.source_id
        plan = self.plan if is_owner else await self.desk.plans.of(standing.source_id)
        return Visit(entry_for(self.entry, standing), plan, self.turn, self.desk)

    def _all_held(self, parties: list[Party]) -> bool:
        """Whether none of these sources is being worked on."""
        held = {standing.source_id for standing in self.entry.standings if standing.held}
        return all(party.visit.entry.source_id in held for party in parties)

    def _refuse(self, refused: list[tuple[Visit, str]]) -> None:
        for visit, reason in refused:
            stood = Stood(self.entry.key, visit.entry.source_id, State.DEAD, reason)
            self.desk.flusher.batch.stand(stood)

    def _give_back(self, handler: Handler, parties: list[Party]) -> None:
        """Pages that were allowed and turned out not to be any."""
        if handler.counts_as_page:
            for party in parties:
                self.desk.budget.give_back(party.visit.plan)


def entry_for(entry: Entry, standing: Standing) -> Entry:
    """A shared entry as one of its sources has it."""
    depth = standing.depth
    if standing.source_id == entry.source_id:
        depth = min(depth, entry.depth)
    return entry._replace(source_id=standing.source_id, depth=depth, origin=standing.origin)


def _unconditional(entry: Entry, parties: list[Party]) -> Entry:
    """Without validators where a source has not seen the page yet: "not modified" would hide its links."""
    seen = {standing.source_id for standing in entry.standings if standing.fetches}
    if all(party.visit.entry.source_id in seen for party in parties):
        return entry
    return entry._replace(etag=None, last_modified=None)
