"""One lane's turn-taking with its host: when the next request may go, and whether it still may.

The delay runs from the end of the previous answer, so that no jitter on the way can make a
request early by the server's own clock.
"""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from outrider.clock import sleep_until
from outrider.crawl.desk import Desk
from outrider.fetch.outcome import Outcome, Request
from outrider.frontier.lease import Lease, Release
from outrider.hosts.breaker import admit
from outrider.hosts.model import HostState
from outrider.hosts.politeness import effective_delay_ms, spread_ms

MARGIN_S = 1.0  # for clocks and schedulers that are not on time
PATIENT_S = 5.0  # longest pause spent holding the lease when nobody else needs the lane
CROWDED_S = 0.2  # and when other hosts are due


class Turn:
    """Keeps the lease, the pace and the state of one host while a lane works on it."""

    def __init__(self, lease: Lease, desk: Desk) -> None:
        self.lease = lease
        self.state: HostState = admit(lease.state)
        self.is_lost = False
        self._desk = desk
        self._began = now = time.monotonic()
        # Somebody died holding this host: their last request may have ended only now.
        self._ready = now + effective_delay_ms(self.state) / 1000 if lease.was_lost else now

    @property
    def wait_s(self) -> float:
        """How long the host must be left alone from now."""
        return max(self._ready - time.monotonic(), 0.0)

    @property
    def is_long(self) -> bool:
        """Whether the next request would come so late that something else may be more urgent by then."""
        return self._ready - self._began > self._desk.options.turn_s

    def pause(self, seconds: float) -> None:
        """Leave the host alone for at least this long."""
        self._ready = max(self._ready, time.monotonic() + seconds)

    async def comes(self) -> bool:
        """Wait for the next request's turn; False when the lane should give the host back instead."""
        desk = self._desk
        if desk.stopping or self.is_lost or desk.flusher.is_behind:
            return False
        wait = self.wait_s
        if wait > (CROWDED_S if desk.crowded else PATIENT_S):
            return False
        if not (self._leaves_time(wait) or await self._renew(wait)):
            return False
        if wait:
            await sleep_until(self._ready)
            # A process that was stopped and goes on has slept far longer, and does not know.
            if not (self._leaves_time(0.0) or await self._renew(0.0)):
                return False
        return not desk.stopping

    async def ask(self, request: Request) -> Outcome:
        """One request, after which the delay starts anew."""
        self._desk.in_flight += 1
        try:
            return await self._desk.fetcher.fetch(request)
        finally:
            self._desk.in_flight -= 1
            self.rest()

    @asynccontextmanager
    async def at(self, host: str) -> AsyncIterator["Turn | None"]:
        """This turn, or for one request that of another host a redirect leads to; None when it is busy."""
        if host == self.lease.host:
            yield self
            return
        desk = self._desk
        lease = await desk.line.run(lambda db: desk.frontier.borrow(db, host), patience_s=60)
        if lease is None:
            yield None
            return
        borrowed = Turn(lease, desk)
        try:
            yield borrowed
        finally:
            desk.flusher.release(Release(lease, borrowed.state, borrowed.wait_s))

    def rest(self) -> None:
        """A request has just ended."""
        delay_ms = effective_delay_ms(self.state) + spread_ms(self._desk.care, self._desk.dice.random())
        self._ready = time.monotonic() + delay_ms / 1000

    def change(self, state: HostState) -> None:
        """The host's state moved on; a longer delay counts from the request that taught us."""
        if state is self.state:
            return
        grown_ms = effective_delay_ms(state) - effective_delay_ms(self.state)
        self.state = state
        if grown_ms > 0:
            self._ready += grown_ms / 1000

    def _leaves_time(self, wait: float) -> bool:
        """Would a request after this wait surely be over before the lease is?"""
        needed = wait + self._desk.fetching.timeout_s + MARGIN_S
        return self.lease.leaves_time_for(needed, time.monotonic())

    async def _renew(self, wait: float) -> bool:
        """Hold on to the host; never start a request that could outlive the lease."""

        async def renew(db: asyncpg.Connection) -> set[int]:
            return await self._desk.frontier.renew(db, [self.lease])

        kept = await self._desk.line.run(renew, patience_s=MARGIN_S)
        self.is_lost = self.lease.host_id not in kept
        return not self.is_lost and self._leaves_time(wait)
