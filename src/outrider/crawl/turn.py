"""The host session of a lane: whether the lane waits for the next request or releases the host."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from outrider.crawl.context import VisitContext
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.politeness.host_session import HostSession
from outrider.fetch.outcome import Outcome, Request
from outrider.frontier.lease import Lease
from outrider.robots import Robots

PATIENT_S = 5.0  # longest pause spent holding the lease when no other host needs the lane
CROWDED_S = 0.2  # longest pause spent holding the lease when other hosts are due


class LeaseRules(NamedTuple):
    """What robots.txt and the delay are for the entries of one origin and one plan, while a lease lasts."""

    plan: CrawlPlan
    prefix: str  # of the URLs
    delay_ms: int
    robots: Robots
    expires: float  # on the monotonic clock


class Turn(HostSession):
    """Keeps the lease, the pace and the state of one host while a lane works on it."""

    def __init__(self, lease: Lease, context: VisitContext) -> None:
        super().__init__(lease, lease.state, context, context.fetching.timeout_s)
        self._context = context
        self._began = time.monotonic()
        self.rules: LeaseRules | None = None
        self._note: Callable[[], None] | None = None

    @property
    def is_long(self) -> bool:
        """Whether the next request is so late that another host may be more urgent by then."""
        return self._ready - self._began > self._context.options.turn_s

    async def wait_until_ready(self) -> bool:
        """Wait until the next request may start; False when the lane should release the host instead."""
        context = self._context
        if context.stopping or self.is_lost or context.flusher.is_behind:
            return False
        now = time.monotonic()
        if self._ready <= now and self.lease.leaves_time_for(self._request_s, now):
            return True  # the usual case without a delay, at no further cost
        wait = self.wait_s
        if wait > (CROWDED_S if context.crowded else PATIENT_S):
            return False
        return await self._hold(wait) and not context.stopping

    async def ask(self, request: Request) -> Outcome:
        """Make one request of the lane; a stopping worker waits for it."""
        context, host_id = self._context, self.lease.host_id
        context.in_flight += 1
        context.current_urls[host_id] = request.url
        try:
            return await super().ask(request)
        finally:
            context.in_flight -= 1
            context.current_urls.pop(host_id, None)

    def note_later(self, note: Callable[[], None]) -> None:
        """Keep the note of a request until its page is settled, so that both are written together."""
        self._note = note

    def note_now(self) -> None:
        """Note the last request, if that was not done yet."""
        note, self._note = self._note, None
        if note is not None:
            note()

    @asynccontextmanager
    async def at(self, host: str) -> AsyncIterator["Turn | None"]:
        """The turn for one request to `host`: this turn, or that of a redirect; None when it is busy."""
        if host == self.lease.host:
            yield self
            return
        context = self._context
        lease = await context.connection.run(lambda db: context.frontier.lease_host(db, host), patience_s=60)
        if lease is None:
            yield None
            return
        borrowed = Turn(lease, context)
        try:
            yield borrowed
        finally:
            context.flusher.release(borrowed.release())
