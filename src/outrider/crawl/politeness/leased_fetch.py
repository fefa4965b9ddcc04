"""Requests outside a lane, under the lease of each host: as polite as a crawl (CLM-13)."""

import asyncio
import time
from dataclasses import replace
from types import TracebackType
from typing import Self

import asyncpg

from outrider.crawl.politeness.host_pace import HostPace
from outrider.crawl.politeness.host_session import HostSession
from outrider.crawl.politeness.single_fetch import Limits, SingleFetch
from outrider.crawl.records import hop_of, note_of
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Conflict, LeaseLost
from outrider.fetch import Fetcher, FetchOptions, Outcome, Redirected, Request
from outrider.frontier.lease import Lease, Release
from outrider.frontier.model import RequestNote
from outrider.frontier.redirect_hops import HopNote, note_hops
from outrider.frontier.store import FrontierStore
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import base_delay, effective_delay_ms
from outrider.urls import key_of

BUSY_S = 0.2  # between two attempts to lease a host that another process holds


class LeasedFetch(SingleFetch):
    """Leases each host on the way; all leases are released when the block ends.

    Raises Conflict when a host is busy or has to rest for longer than `patience_s`.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        connection: ReconnectingConnection,
        frontier: FrontierStore,
        fetching: FetchOptions,
        host_options: HostOptions,
        *,
        limits: Limits | None = None,
        patience_s: float = 0.0,
    ) -> None:
        super().__init__(fetcher, host_options, limits or Limits(fetching.max_redirects))
        self.connection = connection
        self.frontier = frontier
        self._patience_s = patience_s
        self._timeout_s = self._limits.timeout_s or fetching.timeout_s
        self._sessions: dict[str, HostSession] = {}
        self._leased: dict[str, Lease] = {}
        self._notes: list[RequestNote] = []
        self._hops: list[HopNote] = []

    @property
    def has_asked(self) -> bool:
        """Whether any request was made."""
        return bool(self._notes)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async def write_down(db: asyncpg.Connection) -> None:
            await self.frontier.note_requests(db, self._notes)
            await note_hops(db, self._hops)

        if self._notes:
            await self.connection.run(write_down, patience_s=60)
        await self._release_all([self._release(host, session) for host, session in self._sessions.items()])

    async def give_back(self, host: str) -> None:
        """Release a host before the block ends. A later request leases it again."""
        async with self._turns[host]:
            session = self._sessions.pop(host, None)
            self._paces.pop(host, None)
            if session is not None:
                await self._release_all([self._release(host, session)])

    async def _release_all(self, releases: list[Release]) -> None:
        async def release(db: asyncpg.Connection) -> dict[int, float]:
            return await self.frontier.release(db, releases)

        if releases:
            await self.connection.run(release, patience_s=60)

    def _release(self, host: str, session: HostSession) -> Release:
        """The release of a host. It never shortens the stored delay, and ignores the settings (CLM-07)."""
        crawl_delay_s = self._crawl_delay_s(host)
        asked_ms = 0 if crawl_delay_s is None else base_delay(crawl_delay_s, None, self.host_options)
        state = replace(session.state, delay_ms=max(session.lease.state.delay_ms, asked_ms))
        return Release(session.lease, state, max(session.wait_s, effective_delay_ms(state) / 1000))

    async def _ask(self, request: Request) -> Outcome:
        outcome = await super()._ask(request)
        note = note_of(key_of(request.url), outcome, time.monotonic())
        self._notes.append(note)
        if isinstance(outcome, Redirected):
            self._hops.append(hop_of(note.key, outcome, note.ended))
        return outcome

    async def _open(self, host: str) -> HostPace:
        """Lease a host."""
        lease = self._leased[host] = await self._borrow(host)
        state = replace(lease.state, delay_ms=self._delay_ms(host))
        session = self._sessions[host] = HostSession(lease, state, self, self._timeout_s)
        return session

    async def _wait(self, host: str, pace: HostPace) -> None:
        """Wait for the delay of the host, and keep its lease."""
        if await pace.may_ask():
            return
        if self._sessions[host].is_lost:
            del self._paces[host], self._sessions[host]
        raise LeaseLost(f"{host} could not be held for as long as its delay asks")

    def _delay_ms(self, host: str) -> int:
        """The delay of `SingleFetch`, but never below the stored delay of the host."""
        delay_ms, lease = super()._delay_ms(host), self._leased[host]
        return max(delay_ms, lease.stored_delay_ms)

    async def _borrow(self, host: str) -> Lease:
        """Lease a host; wait up to `patience_s` while it is busy."""
        give_up_at = time.monotonic() + self._patience_s
        while True:
            lease = await self.connection.run(lambda db: self.frontier.lease_host(db, host), patience_s=60)
            if lease is not None:
                return lease
            why = await self.connection.run(
                lambda db: self.frontier.why_not_free(db, host), patience_s=60, is_one_statement=True
            )
            wait_s = max(why.rests_s, BUSY_S)
            if why.is_blocked or time.monotonic() + wait_s > give_up_at:
                raise Conflict(why.sentence(host))
            await asyncio.sleep(wait_s)
