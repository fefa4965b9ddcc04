"""Fetch by hand under the leases of the hosts it takes: a search is as polite as a crawl (CLM-13)."""

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import asyncpg

from outrider.crawl.single import Limits, SingleFetch
from outrider.crawl.turn import MARGIN_S
from outrider.db.line import Line
from outrider.errors import Conflict, LeaseLost
from outrider.fetch import Fetcher, FetchOptions, Outcome, Request
from outrider.frontier.lease import Lease
from outrider.frontier.store import FrontierStore, Release
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import effective_delay_ms
from outrider.urls import host_of, resolve

LARGEST_REPLY = 64 * 1024  # to a form; nobody reads it


class Errand(SingleFetch):
    """Single fetches that borrow each host they come to; all are given back when the errand is over.

    Raises Conflict when a host is busy or has to rest.
    """

    def __init__(
        self, fetcher: Fetcher, line: Line, frontier: FrontierStore, fetching: FetchOptions, care: HostOptions
    ) -> None:
        super().__init__(fetcher, care, Limits(fetching.max_redirects))
        self._line = line
        self._frontier = frontier
        self._request_s = fetching.timeout_s + MARGIN_S
        self._leases: dict[str, Lease] = {}
        self._rest_s: dict[str, float] = {}  # how long each is left alone afterwards

    async def post(self, url: str, form: Mapping[str, str]) -> Outcome:
        """Send a form once, in the host's rhythm; a redirect is not followed.

        robots.txt is not asked: it speaks about pages, and an address that a feed names for being posted to
        is an API, there to be called.
        """
        return await self._ask(Request(resolve(url), form=form, max_bytes=LARGEST_REPLY, truncate=True))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        releases = [Release(lease, lease.state, self._rest_s[host]) for host, lease in self._leases.items()]

        async def give_back(db: asyncpg.Connection) -> dict[int, float]:
            return await self._frontier.release(db, releases)

        if releases:
            await self._line.run(give_back, patience_s=60)

    async def _ask(self, request: Request) -> Outcome:
        host = host_of(request.url)
        lease = await self._hold(host)
        delay_s = self._delay_s(request.url)
        if lease.seq > 1:
            # Somebody was here before us, so its stored delay is one it asked for or earned.
            delay_s = max(delay_s, effective_delay_ms(lease.state) / 1000)
        self._rest_s[host] = max(self._rest_s[host], delay_s)
        if not lease.leaves_time_for(delay_s + self._request_s, time.monotonic()):
            await self._renew(lease, delay_s)
        return await self._pacer.ask(request, delay_s)

    async def _hold(self, host: str) -> Lease:
        lease = self._leases.get(host)
        if lease is None:
            lease = await self._line.run(lambda db: self._frontier.borrow(db, host), patience_s=60)
            if lease is None:
                raise Conflict(f"{host} is being asked by a worker or has to rest")
            self._leases[host] = lease
            self._rest_s[host] = effective_delay_ms(lease.state) / 1000
        return lease

    async def _renew(self, lease: Lease, delay_s: float) -> None:
        """Never start a request that could outlive the lease."""
        await self._line.run(lambda db: self._frontier.renew(db, [lease]), patience_s=MARGIN_S)
        if not lease.leaves_time_for(delay_s + self._request_s, time.monotonic()):
            del self._leases[lease.host]
            raise LeaseLost(f"{lease.host} could not be held for as long as its delay asks")
