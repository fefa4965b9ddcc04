"""One lane of the real crawler in virtual time, on a real database: hours of waiting take no time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from outrider.app import worker_context_for
from outrider.crawl.lane import work
from outrider.crawl.seeds import start
from outrider.crawl.worker_context import WorkerContext
from outrider.fetch import Fetcher
from outrider.fetch.outcome import Exchange, Failed, Failure, Fetched, Outcome, Rejected, Request
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.settings import Settings
from outrider.simulate.connection import VirtualConnection
from outrider.simulate.database import prepare
from outrider.simulate.sites import START
from outrider.simulate.virtual_time import VirtualClock, VirtualLoop, steady_time
from outrider.simulate.virtual_worker import NoReaders
from outrider.sources.policy import Policy
from outrider.urls import path_of
from outrider.worker_registry.store import WorkerRegistry

URL = "http://a.test/page"


@dataclass
class FailingWeb(Fetcher):
    """Breaks the connection of every path in `broken`; answers the others. Remembers what was asked when."""

    clock: VirtualClock
    broken: Sequence[str]
    asked: list[tuple[str, float]] = field(default_factory=list)

    async def fetch(self, request: Request) -> Outcome:
        path = path_of(request.url)
        self.asked.append((path, round(self.clock.elapsed_s, 3)))
        if path in self.broken:
            return Failed(request.url, Failure.RESET, "the connection broke", 0)
        exchange = Exchange(request.url, 404 if path == "/robots.txt" else 200, {}, 0, 100)
        if exchange.status == 404:
            return Rejected(exchange)
        return Fetched(exchange, b"<p>A page.</p>", content_type="text/html")

    async def close(self) -> None:
        """There is nothing to close."""


class Dice:
    """Always throws the same number from 0 to 1."""

    def __init__(self, number: float) -> None:
        self._number = number

    def random(self) -> float:
        return self._number


@dataclass(frozen=True, slots=True)
class Visited:
    """What one lane did: each request with its virtual second, and the entry afterwards."""

    asked: Sequence[tuple[str, float]]
    row: Any
    host: Any
    lasted_s: float

    def times(self, path: str) -> list[float]:
        return [at for asked, at in self.asked if asked == path]

    @property
    def due_in_s(self) -> float:
        """How long after the lane's end the host may be asked again."""
        passed: timedelta = self.host["next_allowed_at"] - START
        return passed.total_seconds() - self.lasted_s


def visit(dsn: str, settings: Settings, *, broken: Sequence[str], dice: float = 0.0) -> Visited:
    """Claim the host of one queued page and run its lane to the end, on an empty database."""
    clock = VirtualClock(START)
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(clock)) as runner, steady_time(clock):
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        connection = VirtualConnection(dsn, clock, loop)
        web = FailingWeb(clock, broken)

        async def run() -> Visited:
            try:
                context = await _context(settings, connection, web, clock)
                context.dice = Dice(dice)  # type: ignore[assignment]
                [lease] = await connection.run(lambda db: context.frontier.claim(db, 1))
                await work(lease, context)
                lasted_s = clock.elapsed_s
                await context.flusher.flush()
                row = await connection.run(
                    lambda db: db.fetchrow("SELECT * FROM url_frontier WHERE url = $1", URL)
                )
                host = await connection.run(lambda db: db.fetchrow("SELECT * FROM host"))
                return Visited(web.asked, row, host, lasted_s)
            finally:
                await connection.close()

        return runner.run(run())


async def _context(
    settings: Settings, connection: VirtualConnection, web: FailingWeb, clock: VirtualClock
) -> WorkerContext:
    await connection.begin(prepare)
    frontier = FrontierStore(settings.frontier)
    worker_id = await connection.run(lambda db: WorkerRegistry().register(db, "tests", 0))
    await connection.run(lambda db: start(db, Policy(seeds=[URL]), frontier, StatsStore()))
    context = worker_context_for(
        settings, worker_id, flush_connection=connection, lane_connection=connection, fetcher=web, clock=clock
    )
    context.readers = NoReaders()
    return context
