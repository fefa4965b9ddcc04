"""A robots.txt fetched now, by hand, under the leases of the hosts it takes us to.

Nobody else talks to a host meanwhile, and its delay runs on afterwards: what an operator asks for is as
polite as what a crawl does.
"""

import time
from types import TracebackType
from typing import Self

import asyncpg

from outrider.crawl.by_hand.pacer import Pacer
from outrider.crawl.desk import AGENT
from outrider.crawl.robots.file import TIMEOUT_S, RobotsFile, ask_robots
from outrider.errors import Conflict
from outrider.fetch import Fetcher, Outcome, Request
from outrider.frontier.lease import Lease, Release
from outrider.frontier.store import FrontierStore
from outrider.hosts.politeness import effective_delay_ms
from outrider.robots import Robots
from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of, host_of, origin_of

WAKE_PAGE = 500


class Refresh:
    """Borrows hosts for as long as it is open."""

    def __init__(self, db: asyncpg.Connection, fetcher: Fetcher, frontier: FrontierStore) -> None:
        self._db = db
        self._frontier = frontier
        self._pacer = Pacer(fetcher)
        self._leases: dict[str, Lease] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        releases = [
            Release(lease, lease.state, effective_delay_ms(lease.state) / 1000)
            for lease in self._leases.values()
        ]
        await self._frontier.release(self._db, releases)

    async def robots(self, origin: str, max_redirects: int, life_s: float) -> RobotsFile:
        """Fetch and store it; what it blocked before and allows now returns to the queue (ROB-12)."""
        file = await ask_robots(origin, self._ask, max_redirects)
        if file.rules is not None:
            host_id = host_id_of(host_of(file.url))
            await RobotsStore().remember(
                self._db, host_id=host_id, origin=origin, status=file.status, body=file.body, life_s=life_s
            )
            await self._wake_allowed(origin, host_id, file.rules)
        return file

    async def _ask(self, request: Request) -> Outcome:
        host = host_of(request.url)
        lease = self._leases.get(host) or await self._frontier.borrow(self._db, host)
        if lease is None:
            raise Conflict(f"{host} is being asked by a worker or has to rest: try again in a moment")
        delay_s = effective_delay_ms(lease.state) / 1000 if host in self._leases else 0.0
        self._leases[host] = lease
        if not lease.leaves_time_for(delay_s + TIMEOUT_S, time.monotonic()):
            raise Conflict(f"{host} asks for {delay_s:g} s between requests: leave this to a crawl")
        return await self._pacer.ask(request, delay_s)

    async def _wake_allowed(self, origin: str, host_id: int, robots: Robots) -> None:
        after = "0" * 32
        while True:
            blocked = await self._frontier.blocked_by_robots(self._db, host_id, after, WAKE_PAGE)
            allowed = [key for key, url in blocked if origin_of(url) == origin and robots.allows(AGENT, url)]
            if allowed:
                await self._frontier.hasten(self._db, allowed)
            if len(blocked) < WAKE_PAGE:
                return
            after = blocked[-1][0].hash
