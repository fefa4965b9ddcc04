"""Visit one claimed URL: from robots to what it comes to. Read this file first.

    refused by its looks → robots.txt → our turn → request → decide → absorb

A redirect ends the visit: its target becomes an entry of its own, with its own robots rules,
its own host's rhythm and its own place in the queue, and this address an alias of it. Only a
redirect to another spelling of the same address (`/docs` to `/docs/`) is followed on the spot.
"""

from dataclasses import dataclass

from outrider.crawl.absorb import draft_of, links_of, refusal_of
from outrider.crawl.care import react
from outrider.crawl.decide import (
    Confirm,
    Dead,
    Decision,
    Keep,
    Move,
    Retry,
    decide,
    health_of,
    is_worth_another_try,
)
from outrider.crawl.desk import AGENT, Desk
from outrider.crawl.ledger import completion_of, note_request, successor_of
from outrider.crawl.policy import Plan
from outrider.crawl.rules import rules_for, set_delay
from outrider.crawl.traps import template_of
from outrider.crawl.turn import Turn
from outrider.extract.model import Page
from outrider.extract.scan import scan
from outrider.fetch.hops import RedirectPolicy
from outrider.fetch.outcome import Fetched, Outcome, Redirected, Request
from outrider.frontier.backoff import transport_wait
from outrider.frontier.model import Entry, TemplateNote
from outrider.hosts.model import BreakerState, Health
from outrider.robots import Robots
from outrider.urls import key_of

SPENT_S = 1.0  # the page limit is reached: no use in claiming the host again at once


@dataclass(frozen=True, slots=True)
class Visit:
    """One entry on its way through the steps."""

    entry: Entry
    plan: Plan
    turn: Turn
    desk: Desk

    async def run(self) -> bool:
        """Take the entry as far as it goes now; False when the host should be given back first."""
        refusal = self._refusal()
        if refusal is not None:
            return self._finish(Dead(refusal))
        rules = await self._rules()
        if rules is None:
            return False
        if not rules.allows(AGENT, self.entry.url):
            return self._finish(Dead("robots_blocked"))
        if not await self.desk.budget.take(self.plan):
            self.turn.pause(SPENT_S)
            return False
        outcome = await self._fetch(rules)
        decision = None if outcome is None else self._decide(outcome, rules)
        if not isinstance(decision, Keep | Confirm):
            self.desk.budget.give_back(self.plan)
        if decision is None:
            return False
        page = await self._read(outcome) if isinstance(decision, Keep) else None
        return self._finish(decision, outcome, page)

    def _refusal(self) -> str | None:
        """Judged again at the visit: rules may have changed and traps been recognised since it was queued."""
        entry, policy = self.entry, self.plan.policy
        if policy.max_pages_per_host is not None and self.turn.lease.pages >= policy.max_pages_per_host:
            return "host_limit"
        if entry.depth == 0:
            return None
        if entry.depth > self.plan.max_depth:
            return "out_of_scope"
        refusal = refusal_of(entry.url, self.plan, self.desk.watch)
        return "out_of_scope" if refusal == "scope" else refusal

    async def _rules(self) -> Robots | None:
        ignored = self.plan.policy.ignore_robots or not self.desk.options.respect_robots
        rules = Robots.ALLOW_ALL if ignored else await rules_for(self.entry, self.turn, self.desk)
        if rules is not None:
            set_delay(rules, self.plan, self.turn, self.desk)
        return rules

    async def _fetch(self, rules: Robots) -> Outcome | None:
        """Ask until there is an answer, each time in turn; None when the turn did not come."""
        entry, options = self.entry, self.desk.options
        url, spellings, tries = entry.url, {entry.url}, 1
        while await self.turn.comes():
            outcome = await self.turn.ask(
                Request(url, etag=entry.etag, last_modified=entry.last_modified, only_html=True)
            )
            note_request(self.desk.flusher.batch, entry, outcome)
            is_resting = self._care(outcome)
            spelling = self._other_spelling(outcome, spellings)
            if spelling is not None and rules.allows(AGENT, spelling):
                url = spelling
                spellings.add(spelling)
            elif is_worth_another_try(outcome) and tries < options.transport_tries and not is_resting:
                self.turn.pause(transport_wait(tries, self.desk.dice.random()).total_seconds())
                tries += 1
            else:
                return outcome
        return None

    def _other_spelling(self, outcome: Outcome, asked: set[str]) -> str | None:
        """Where a redirect to the same address in another spelling leads, if we have not been there."""
        if not isinstance(outcome, Redirected) or outcome.target != self.entry.url:
            return None
        if not self.desk.fetching.follow_redirects or len(asked) > self.desk.fetching.max_redirects:
            return None
        return outcome.follow if outcome.follow not in asked else None

    def _care(self, outcome: Outcome) -> bool:
        """Let the host's delay and breaker learn; True when it wants to be left alone."""
        reaction = react(self.turn.state, outcome, self.desk.care)
        self.turn.change(reaction.state)
        if reaction.pause:
            self.turn.pause(reaction.pause.total_seconds())
        return bool(reaction.pause)

    def _decide(self, outcome: Outcome, rules: Robots) -> Decision:
        decision = decide(
            outcome,
            attempts=self.entry.attempts,
            max_attempts=self.desk.options.max_attempts,
            jitter=self.desk.dice.random(),
        )
        if isinstance(outcome, Redirected) and isinstance(decision, Move):
            is_spelling = outcome.target == self.entry.url and outcome.follow is not None
            if is_spelling and not rules.allows(AGENT, str(outcome.follow)):
                return Dead("robots_blocked")
            return self._judge_move(decision)
        # An open circuit is the host's trouble: the page loses no attempt by it (BRK-05).
        if health_of(outcome) is Health.BAD and self.turn.state.breaker is BreakerState.OPEN:
            return Retry("host_down", self.turn.wait_s, self.entry.attempts)
        return decision

    def _judge_move(self, move: Move) -> Decision:
        fetching, entry = self.desk.fetching, self.entry
        target = key_of(move.target)
        if not fetching.follow_redirects:
            return Dead("redirect_not_followed")
        if target == entry.key or target.hash in (entry.via or ""):
            return Dead("redirect_loop")
        if entry.hops >= fetching.max_redirects:
            return Dead("too_many_redirects")
        if not self.plan.scope.admits(move.target):
            return Dead("redirect_out_of_scope")
        return move

    async def _read(self, outcome: Outcome | None) -> Page | None:
        """The main text, where the source asks for it."""
        if not self.plan.policy.main_text or not isinstance(outcome, Fetched):
            return None
        return await self.desk.readers.read(outcome.body, outcome.exchange.url, outcome.content_type)

    def _finish(self, decision: Decision, outcome: Outcome | None = None, page: Page | None = None) -> bool:
        """Put what follows into the next batch."""
        batch, entry = self.desk.flusher.batch, self.entry
        match decision:
            case Keep():
                assert isinstance(outcome, Fetched)
                self._absorb(outcome, page)
                batch.complete(completion_of(entry, outcome))
            case Confirm():
                batch.confirmed.add(entry.key)
                batch.count(entry.source_id, "pages")
                batch.complete(completion_of(entry, outcome))
            case Move(target=target):
                batch.submit([successor_of(entry, target)])
                batch.count(entry.source_id, "redirects")
                if self.desk.fetching.redirect_policy is RedirectPolicy.DEAD_AND_SUBMIT:
                    batch.complete(completion_of(entry, outcome, reason="redirect"))
                else:
                    batch.complete(completion_of(entry, outcome, moved_to=key_of(target)))
            case Retry(reason=reason, wait_s=wait_s, attempts=attempts):
                batch.count(entry.source_id, "retries")
                batch.complete(
                    completion_of(entry, outcome, reason=reason, retry_in_s=wait_s, attempts=attempts)
                )
            case Dead(reason=reason):
                batch.complete(completion_of(entry, outcome, reason=reason))
        self.desk.flusher.poke()
        return True

    def _absorb(self, fetched: Fetched, read: Page | None) -> None:
        """Read the page: keep it, queue its links, learn about its template."""
        desk, batch, entry, lease = self.desk, self.desk.flusher.batch, self.entry, self.turn.lease
        exchange = fetched.exchange
        page = scan(fetched.body, exchange.url, fetched.content_type, exchange.headers.get("x-robots-tag"))
        harvest = links_of(entry, page, self.plan, desk.seen, desk.watch)
        # Only a first visit says something about the template: a page that did not change since is no trap.
        first = entry.fetches == 0
        learned = (
            desk.watch.observe(entry.url, page.text, (link.url for link in harvest.links)) if first else None
        )
        batch.drafts[entry.key] = draft_of(entry, fetched, page, desk.options, read)
        batch.submit(harvest.links)
        batch.refused += harvest.refused
        batch.count(entry.source_id, "pages")
        for name, times in harvest.skipped.items():
            batch.count(entry.source_id, f"skipped.{name}", times)
        if learned is not None and learned.barren and (template := template_of(entry.url)):
            note = TemplateNote(lease.host_id, template, learned.fetched, learned.barren_run, barren=True)
            batch.templates[lease.host_id, template] = note
        lease.pages += 1
        desk.figures["pages"] += 1
        desk.figures["bytes"] += len(fetched.body)
