"""The requests to one host under one lease: no request starts that could outlive the lease."""

import time
from typing import Protocol

import asyncpg

from outrider.clock import sleep_until
from outrider.crawl.politeness.host_pace import HostPace, PaceTools
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.lease import MARGIN_S, Lease, Release
from outrider.frontier.store import FrontierStore
from outrider.hosts.model import HostState
from outrider.hosts.politeness import effective_delay_ms


class SessionTools(PaceTools, Protocol):
    """What a session needs beyond `PaceTools`: the store of its lease."""

    connection: ReconnectingConnection
    frontier: FrontierStore


class HostSession(HostPace):
    """Keeps the lease, the pace and the state of one host from the lease to the release."""

    def __init__(self, lease: Lease, state: HostState, tools: SessionTools, timeout_s: float) -> None:
        """`state` is the state to begin with; `timeout_s` is the longest that one request takes."""
        super().__init__(state, tools)
        self.lease = lease
        self.is_lost = False
        self._store = tools
        self._request_s = timeout_s + MARGIN_S
        if lease.was_lost:
            # The last request of the process that lost this lease may have ended only now.
            self._ready += effective_delay_ms(self.state) / 1000

    async def may_ask(self) -> bool:
        """Wait until the delay is over; False when the lease is lost or ends too early for a request."""
        return await self._hold(self.wait_s)

    def release(self) -> Release:
        """The release of the host: its state, and the time until its next request."""
        return Release(self.lease, self.state, self.wait_s)

    async def _hold(self, wait: float) -> bool:
        """Wait and keep the lease; False when the lease is lost or ends too early for a request."""
        if not (self._leaves_time(wait) or await self._renew(wait)):
            return False
        if wait:
            await sleep_until(self._ready)
            # A process that was suspended meanwhile has slept far longer than this wait.
            return self._leaves_time(0.0) or await self._renew(0.0)
        return True

    def _leaves_time(self, wait: float) -> bool:
        """Whether a request after this wait certainly ends before the lease."""
        return self.lease.leaves_time_for(wait + self._request_s, time.monotonic())

    async def _renew(self, wait: float) -> bool:
        """Extend the lease; False when it is lost, or still too short."""

        async def renew(db: asyncpg.Connection) -> set[int]:
            return await self._store.frontier.renew(db, [self.lease])

        kept = await self._store.connection.run(renew, patience_s=MARGIN_S)
        self.is_lost = self.lease.host_id not in kept
        return not self.is_lost and self._leaves_time(wait)
