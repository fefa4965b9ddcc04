"""Handles the visit of a link: asks for what the verdict needs, and writes the check with the flush."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime

import asyncpg

from outrider.clock import Clock, SystemClock
from outrider.crawl.decide import Decision
from outrider.crawl.records import completion_of
from outrider.crawl.visit import Handler, Visit
from outrider.events.log import write_events
from outrider.events.record import NewEvent
from outrider.fetch import Outcome, Request
from outrider.frontier.counter_name import CounterPrefix, counter_of
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry, EntryKind
from outrider.frontier.retry_reason import RetryReason
from outrider.links.asking import LinkProber
from outrider.links.dns import is_name_gone
from outrider.links.evidence import Evidence, Judgement, LinkProbe, PastCheck, ProbeEnding, Purpose
from outrider.links.monitor.model import LinkState, StoredLinkStatus
from outrider.links.monitor.schedule import next_check_at
from outrider.links.monitor.store import LinkStore
from outrider.links.monitor.visit_fetch import VisitFetch
from outrider.links.options import LinkOptions
from outrider.links.verdict import judge
from outrider.urls import UrlKey

MOST_CHECKS = 10  # at once in a worker, so that links do not delay pages
BUSY_S = 60.0
VERDICT_CHANGED = "link.verdict_changed"


def link_handlers(options: LinkOptions, clock: Clock | None = None) -> dict[EntryKind, Handler]:
    """The handler of links, for the context of a worker."""
    return {EntryKind.LINK: LinkHandler(options, asyncio.Semaphore(MOST_CHECKS), clock)}


class LinkHandler:
    """The handler of links: see `crawl/visit.py`."""

    counts_as_page = False

    def __init__(
        self,
        options: LinkOptions,
        at_once: AbstractAsyncContextManager[object],
        clock: Clock | None = None,
        name_is_gone: Callable[[str], Awaitable[bool]] = is_name_gone,
    ) -> None:
        self.at_once = at_once
        self._options = options
        self._clock = clock or SystemClock()
        self._name_is_gone = name_is_gone
        self._store = LinkStore()

    def refusal(self, visit: Visit) -> DeadReason | None:
        return None

    def request(self, entry: Entry, url: str) -> Request:
        return Request(url, timeout_s=self._options.timeout_s, accept="*/*", is_head=True)

    async def settle(self, visit: Visit, decision: Decision, outcome: Outcome | None) -> None:
        """Gather the evidence, judge it with the earlier checks, and write the check."""
        entry, context = visit.entry, visit.context
        known = await context.connection.run(lambda db: self._known(db, entry.key), patience_s=60)
        if known is None:
            context.flusher.batch.complete(completion_of(entry, outcome, reason=DeadReason.NO_LINK))
            return
        evidence = await self._evidence(visit, outcome)
        if context.stopping or visit.turn.is_lost:
            retry = completion_of(entry, outcome, reason=RetryReason.HOST_BUSY, retry_in_s=BUSY_S)
            context.flusher.batch.complete(retry)
            return
        now = self._clock.now()
        self._write(visit, judge(evidence, known, now=now), evidence, outcome, now)

    async def _known(self, db: asyncpg.Connection, key: UrlKey) -> list[PastCheck] | None:
        """The earlier checks, oldest first; None if no link has this address any more."""
        if not await self._store.is_wanted(db, key):
            return None
        return [check.past for check in reversed(await self._store.checks(db, key))]

    async def _evidence(self, visit: Visit, outcome: Outcome | None) -> Evidence:
        url = visit.entry.url
        if outcome is None:  # only robots.txt keeps a link from being asked for
            blocked = LinkProbe(Purpose.LINK, "HEAD", url, self._clock.now(), ProbeEnding.ROBOTS)
            return Evidence(url, (blocked,))
        fetch = VisitFetch(visit, outcome, self._options)
        return await LinkProber(fetch, self._options, self._name_is_gone).evidence(url)

    def _write(
        self, visit: Visit, judgement: Judgement, evidence: Evidence, outcome: Outcome | None, now: datetime
    ) -> None:
        """Await nothing, so that the check and the completion land in one batch."""
        batch, entry = visit.context.flusher.batch, visit.entry
        state = state_of(judgement)
        probes = [as_stored(probe) for probe in evidence.probes]

        async def write(db: asyncpg.Connection) -> None:
            changed = await self._store.add_check(db, entry.key, state, probes)
            await write_events(
                db,
                [
                    NewEvent(
                        VERDICT_CHANGED,
                        str(link["link_id"]),
                        {
                            "site_id": link["site_id"],
                            "source_key": link["source_key"],
                            "url": link["url"],
                            "from": link["old_status"],
                            "to": state.status,
                            "reason": state.reason,
                            "moved_to": state.moved_to,
                        },
                    )
                    for link in changed
                ],
            )

        batch.write(write)
        batch.count(entry.source_id, counter_of(CounterPrefix.LINK_CHECKS, judgement.verdict.value))
        again_in_s = (next_check_at(judgement, now) - now).total_seconds()
        batch.complete(completion_of(entry, outcome, retry_in_s=again_in_s))


def state_of(judgement: Judgement) -> LinkState:
    """What is stored of a verdict."""
    return LinkState(
        StoredLinkStatus(judgement.verdict.value),
        judgement.reason,
        judgement.status,
        judgement.moved_to,
        judgement.pending_since,
    )


def as_stored(probe: LinkProbe) -> dict[str, object]:
    """A request of a check as JSON."""
    form = probe.json_form()
    return {**form, "asked_at": probe.asked_at.isoformat()}
