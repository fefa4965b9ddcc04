"""Fetch by hand under the leases of the hosts it takes: a search is as polite as a crawl (CLM-13)."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

import asyncpg

from outrider.crawl.by_hand.single import Limits, SingleFetch
from outrider.crawl.care import react
from outrider.crawl.desk import AGENT
from outrider.crawl.ledger import hop_of, note_of
from outrider.crawl.turn import MARGIN_S
from outrider.db.line import Line
from outrider.errors import Conflict, LeaseLost
from outrider.fetch import Fetcher, FetchOptions, Outcome, Redirected, Request
from outrider.frontier.lease import Lease, Release
from outrider.frontier.model import RequestNote
from outrider.frontier.redirect_hops import HopNote, note_hops
from outrider.frontier.store import FrontierStore
from outrider.hosts.breaker import admit
from outrider.hosts.model import HostState
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import base_delay, effective_delay_ms
from outrider.urls import host_of, key_of, resolve

BUSY_S = 0.2  # between two tries to get a host that is being asked
LARGEST_REPLY = 64 * 1024  # to a form; nobody reads it
ASKS_FOR_IT_AGAIN = frozenset({307, 308})  # other redirects would turn the form into a GET


class Errand(SingleFetch):
    """Single fetches that borrow each host they come to; all are given back when the errand is over.

    Raises Conflict when a host is busy or has to rest for longer than `patience_s`.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        line: Line,
        frontier: FrontierStore,
        fetching: FetchOptions,
        care: HostOptions,
        *,
        limits: Limits | None = None,
        patience_s: float = 0.0,
    ) -> None:
        super().__init__(fetcher, care, limits or Limits(fetching.max_redirects))
        self._line = line
        self._frontier = frontier
        self._patience_s = patience_s
        self._request_s = (self._limits.timeout_s or fetching.timeout_s) + MARGIN_S
        self._leases: dict[str, Lease] = {}
        self._states: dict[str, HostState] = {}
        self._rest_s: dict[str, float] = {}  # how long each is left alone afterwards
        self._resting: set[str] = set()  # those that asked for it, or that are down
        self._notes: list[RequestNote] = []
        self._hops: list[HopNote] = []

    @property
    def has_asked(self) -> bool:
        """Whether any request was made."""
        return bool(self._notes)

    async def post(self, url: str, form: Mapping[str, str]) -> Outcome:
        """Send a form once, in the host's rhythm; redirects that ask for it again elsewhere are followed.

        robots.txt is not asked: it speaks about pages, and an address that a feed names for being posted to
        is an API, there to be called.
        """
        request = Request(resolve(url), form=form, max_bytes=LARGEST_REPLY, truncate=True)
        outcome = await self._ask(request)
        for _ in range(self._limits.max_redirects):
            if not isinstance(outcome, Redirected) or outcome.exchange.status not in ASKS_FOR_IT_AGAIN:
                break
            if outcome.follow is None:
                break
            outcome = await self._ask(request._replace(url=outcome.follow))
        return outcome

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        releases = [self._release(lease) for lease in self._leases.values()]

        async def write_down(db: asyncpg.Connection) -> None:
            await self._frontier.note_requests(db, self._notes)
            await note_hops(db, self._hops)

        async def give_back(db: asyncpg.Connection) -> dict[int, float]:
            return await self._frontier.release(db, releases)

        if self._notes:
            await self._line.run(write_down, patience_s=60)
        if releases:
            await self._line.run(give_back, patience_s=60)

    def _release(self, lease: Lease) -> Release:
        """With the delay that its robots.txt asks for: whoever comes next may not get to read it (CLM-07)."""
        state, rest_s = self._states[lease.host], self._rest_s[lease.host]
        asked_ms = self._asked_ms(lease.host)
        return Release(
            lease, replace(state, delay_ms=max(state.delay_ms, asked_ms)), max(rest_s, asked_ms / 1000)
        )

    def _asked_ms(self, host: str) -> int:
        files = [file for origin, file in self._robots.items() if host_of(origin) == host]
        asked = [file.rules.crawl_delay(AGENT) for file in files if file.rules is not None]
        return max((base_delay(each, None, self._care) for each in asked if each is not None), default=0)

    async def _ask(self, request: Request) -> Outcome:
        host = host_of(request.url)
        lease = await self._hold(host)
        delay_s = self._delay_s(request.url)
        if lease.seq > 1:
            # Somebody was here before us, so its stored delay is one it asked for or earned.
            delay_s = max(delay_s, effective_delay_ms(self._states[host]) / 1000)
        self._rest_s[host] = max(self._rest_s[host], delay_s)
        await self._keep(lease, delay_s)
        await self._pacer.wait_for(host, delay_s)
        await self._keep(lease)  # a process that was stopped and goes on has slept far longer
        outcome = await self._pacer.send(request)
        self._learn(host, request.url, outcome)
        return outcome

    def _learn(self, host: str, url: str, outcome: Outcome) -> None:
        """As after any request: the host's delay and breaker, and a line of history."""
        reaction = react(self._states[host], outcome, self._care)
        self._states[host] = reaction.state
        if reaction.pause:
            self._resting.add(host)
            self._rest_s[host] = max(self._rest_s[host], reaction.pause.total_seconds())
        note = note_of(key_of(url), outcome)
        self._notes.append(note)
        if isinstance(outcome, Redirected):
            self._hops.append(hop_of(note.key, outcome, note.ended))

    async def _hold(self, host: str) -> Lease:
        lease = self._leases.get(host)
        if host in self._resting:
            raise Conflict(f"{host} has to rest")
        if lease is None:
            lease = await self._borrow(host)
            if lease.was_lost:
                self._pacer.note_answer(host)  # the request of the one that died may have ended just now
            self._leases[host] = lease
            self._states[host] = admit(lease.state)
            self._rest_s[host] = effective_delay_ms(lease.state) / 1000
        return lease

    async def _borrow(self, host: str) -> Lease:
        give_up_at = time.monotonic() + self._patience_s
        while True:
            lease = await self._line.run(lambda db: self._frontier.borrow(db, host), patience_s=60)
            if lease is not None:
                return lease
            why = await self._line.run(
                lambda db: self._frontier.why_not_free(db, host), patience_s=60, is_one_statement=True
            )
            wait_s = max(why.rests_s, BUSY_S)
            if why.is_blocked or time.monotonic() + wait_s > give_up_at:
                raise Conflict(why.sentence(host))
            await asyncio.sleep(wait_s)

    async def _keep(self, lease: Lease, delay_s: float = 0.0) -> None:
        """Never start a request that could outlive the lease."""
        needed_s = delay_s + self._request_s
        if lease.leaves_time_for(needed_s, time.monotonic()):
            return
        await self._line.run(lambda db: self._frontier.renew(db, [lease]), patience_s=MARGIN_S)
        if not lease.leaves_time_for(needed_s, time.monotonic()):
            del self._leases[lease.host]
            raise LeaseLost(f"{lease.host} could not be held for as long as its delay asks")
