"""Visit one claimed entry: the steps that pages and all other kinds of entries take. Read this file first.

    refuse by URL → robots.txt → wait for the delay → request → decide → settle

A redirect ends the visit: its target becomes a new entry with its own robots rules, host delay and
place in the queue, and this address becomes an alias of the target. Only a redirect to another
spelling of the same address (`/docs` to `/docs/`) is followed within the visit.
The handler of the entry's kind settles the answer: see `Handler` and `pages/handler.py`.
A page that several sources want takes the same steps under the plan of each: see `shared_visit.py`.
"""

import time
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from outrider.crawl.context import VisitContext
from outrider.crawl.decide import (
    Confirm,
    Dead,
    Decision,
    Keep,
    Move,
    Retry,
    decide,
    health_of,
    is_retried_at_once,
)
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.records import count_request, measures_of, note_request
from outrider.crawl.redirects import refusal_of_target
from outrider.crawl.robots.rules import find_lease_rules, lease_rules
from outrider.crawl.turn import Turn
from outrider.fetch.hops import refusal_of_hop
from outrider.fetch.outcome import Fetched, Outcome, Redirected, Request
from outrider.frontier.backoff import transport_wait
from outrider.frontier.dead_reason import DeadReason, unexpected_status
from outrider.frontier.model import Entry
from outrider.frontier.retry_reason import RetryReason
from outrider.hosts.model import BreakerState, Health
from outrider.robots import AGENT, Robots
from outrider.urls import key_of

NOT_MODIFIED = 304
SPENT_S = 1.0  # pause of a host after the page limit is reached, so that it is not claimed again at once


class Handler(Protocol):
    """Makes the request for one kind of entry and settles the answer."""

    counts_as_page: bool  # spends the page limit of its source

    @property
    def at_once(self) -> AbstractAsyncContextManager[object] | None:
        """Held by each visit: bounds concurrent visits."""

    def refusal(self, visit: "Visit") -> DeadReason | None:
        """Why the entry is not requested; None to go on."""

    def request(self, entry: Entry, url: str) -> Request:
        """The request; `url` is the entry's, or another spelling of it that the server redirects to."""

    async def settle(self, visit: "Visit", decision: Decision, outcome: Outcome | None) -> None:
        """Add the results of the decision to the next batch."""


@dataclass(slots=True)
class Visit:
    """The visit of one entry. Its fields are read some forty times; slots are faster to read than a tuple."""

    entry: Entry
    plan: CrawlPlan
    turn: Turn
    context: VisitContext
    handler: Handler
    others: tuple["Visit", ...] = ()  # the same page for its other pending sources

    def run(self) -> Awaitable[bool]:
        """Run the steps of the visit; False when the lane should release the host first."""
        at_once = self.handler.at_once
        return self._go() if at_once is None else self._go_within(at_once)

    async def _go_within(self, at_once: AbstractAsyncContextManager[object]) -> bool:
        async with at_once:
            return await self._go()

    async def _go(self) -> bool:
        handler, plan = self.handler, self.plan
        refusal = handler.refusal(self)
        if refusal is not None:
            return await self._settle(Dead(refusal))
        rules = lease_rules(self.entry, plan, self.turn)
        if rules is None and (rules := await self._rules()) is None:
            return False
        if not rules.allows(AGENT, self.entry.url):
            return await self._settle(Dead(DeadReason.ROBOTS_BLOCKED))
        is_counted = handler.counts_as_page and plan.policy.max_pages is not None
        if is_counted and not await self.context.budget.take(plan):
            self.turn.pause(SPENT_S)
            return False
        outcome = await self._fetch(rules)
        decision = None if outcome is None else self._decide(outcome, rules)
        if is_counted and not isinstance(decision, Keep | Confirm):
            self.context.budget.give_back(plan)
        return False if decision is None else await self._settle(decision, outcome)

    async def _settle(self, decision: Decision, outcome: Outcome | None = None) -> bool:
        try:
            await self.handler.settle(self, decision, outcome)
        finally:
            self.turn.note_now()
        if self.entry.run_id:
            self.context.run_log.settled(self.entry, decision, outcome)
        self.context.flusher.schedule_flush()
        return True

    async def _rules(self) -> Robots | None:
        return await find_lease_rules(self.entry, self.plan, self.turn, self.context)

    async def _fetch(self, rules: Robots) -> Outcome | None:
        """Request until there is an answer, at the pace of the host; None when the lane must release it."""
        entry, turn, context = self.entry, self.turn, self.context
        url, spellings, tries = entry.url, {entry.url}, 1
        while await turn.wait_until_ready() and entry.run_id not in context.runs.cancelled:
            outcome = await turn.ask(self.handler.request(entry, url))
            turn.note_later(partial(self._note, outcome, time.monotonic()))
            if entry.run_id:
                context.run_log.requested(entry, outcome)
            is_resting = turn.learn(outcome)
            if isinstance(outcome, Fetched):
                return outcome
            spelling = self._other_spelling(outcome, spellings)
            if spelling is not None and rules.allows(AGENT, spelling):
                url = spelling
                spellings.add(spelling)
            elif is_retried_at_once(outcome) and tries < context.options.transport_tries and not is_resting:
                turn.pause(transport_wait(tries, context.dice.random()).total_seconds())
                tries += 1
            else:
                return outcome
            turn.note_now()
        return None

    def _note(self, outcome: Outcome, ended: float) -> None:
        """Record a request in the history, and count it for every source of the visit."""
        note_request(self.context.flusher.batch, self.entry, outcome, ended)
        for other in self.others:
            status, _, wire_bytes = measures_of(outcome)
            counts = self.context.flusher.batch.counts_for_further_source
            count_request(counts, other.entry.source_id, outcome, status, wire_bytes)

    def _other_spelling(self, outcome: Outcome, asked: set[str]) -> str | None:
        """The target of a redirect to another spelling of the same address, if it was not requested yet."""
        if not isinstance(outcome, Redirected) or outcome.target != self.entry.url:
            return None
        limits = self.context.fetching.hop_limits
        refusal = refusal_of_hop(limits, taken=len(asked) - 1, is_known=outcome.follow in asked)
        return outcome.follow if refusal is None else None

    def _decide(self, outcome: Outcome, rules: Robots) -> Decision:
        decision = decide(
            outcome,
            attempts=self.entry.attempts,
            max_attempts=self.context.options.max_attempts,
            jitter=self.context.dice.random(),
            last_reason=self.entry.reason,
        )
        if isinstance(outcome, Redirected) and isinstance(decision, Move):
            is_spelling = outcome.target == self.entry.url and outcome.follow is not None
            if is_spelling and not rules.allows(AGENT, str(outcome.follow)):
                return Dead(DeadReason.ROBOTS_BLOCKED)
            return self._judge_move(decision)
        if isinstance(decision, Confirm) and not self._may_be_confirmed:
            return Dead(unexpected_status(NOT_MODIFIED))
        # An open breaker is about the host: it costs the page no attempt (BRK-05).
        if self.turn.state.breaker is BreakerState.OPEN and health_of(outcome) is Health.BAD:
            return Retry(RetryReason.HOST_DOWN, self.turn.wait_s, self.entry.attempts)
        return decision

    @property
    def _may_be_confirmed(self) -> bool:
        """Whether a 304 can be true: not of a new page, which was requested without validators."""
        entry = self.entry
        is_new = entry.fetches == 0 and entry.etag is None and entry.last_modified is None
        return not (is_new and self.handler.counts_as_page)

    def _judge_move(self, move: Move) -> Decision:
        fetching, entry = self.context.fetching, self.entry
        target = key_of(move.target)
        is_known = target == entry.key or target.hash in (entry.via or "")
        refusal = refusal_of_hop(fetching.hop_limits, taken=entry.hops, is_known=is_known)
        if refusal is not None:
            return Dead(DeadReason(refusal))
        out_of_scope = refusal_of_target(entry, move.target, self.plan, fetching.redirect_scope)
        return move if out_of_scope is None else Dead(out_of_scope)
