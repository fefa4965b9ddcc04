"""Requests of use cases, as polite as a crawl: with host leases if there is a database."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from outrider.crawl.politeness.fetch_result import FetchResult
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.politeness.single_fetch import Limits, SingleFetch
from outrider.db.reconnecting import ReconnectingConnection
from outrider.fetch import Fetcher, FetchOptions
from outrider.frontier.lease import MARGIN_S
from outrider.frontier.store import FrontierStore
from outrider.settings import Settings
from outrider.workers.recovery import recover_dead_workers

FetchOne = Callable[[str], Awaitable[FetchResult]]

PATIENCE_S = 60.0  # how long a request waits for a host that is leased or rests
DATABASE_PATIENCE_S = 10.0


def usual_limits(settings: Settings) -> Limits:
    """The limits of a request for which no others are given."""
    return Limits(settings.fetch.max_redirects, ignore_robots=not settings.crawl.respect_robots)


@asynccontextmanager
async def polite_fetch(
    settings: Settings,
    dsn: str | None,
    limits: Limits | None = None,
    options: FetchOptions | None = None,
) -> AsyncIterator[FetchOne]:
    """A function that fetches a URL as `polite_session` does."""
    async with polite_session(settings, dsn, limits, options) as session:
        yield session.run


@asynccontextmanager
async def polite_session(
    settings: Settings,
    dsn: str | None,
    limits: Limits | None = None,
    options: FetchOptions | None = None,
) -> AsyncIterator[SingleFetch]:
    """Fetches URLs: robots.txt is read once, and each host keeps its delay (CLM-13).

    With a database (`dsn`) each host is leased first: no worker requests it meanwhile, and its delay
    continues afterwards. A fetch raises Conflict if a host stays leased.
    """
    limits = limits or usual_limits(settings)
    fetcher = Fetcher(options or settings.fetch)
    try:
        if dsn is None:
            yield SingleFetch(fetcher, settings.hosts, limits)
        else:
            async with leased_fetch(settings, dsn, fetcher, limits) as fetch:
                yield fetch
    finally:
        await fetcher.close()


@asynccontextmanager
async def leased_fetch(
    settings: Settings, dsn: str, fetcher: Fetcher, limits: Limits, *, patience_s: float = PATIENCE_S
) -> AsyncIterator[LeasedFetch]:
    """A LeasedFetch with its own connection."""
    request_s = limits.timeout_s or settings.fetch.timeout_s
    lease_s = max(settings.frontier.lease_s, 2 * (request_s + MARGIN_S))
    frontier = FrontierStore(replace(settings.frontier, lease_s=lease_s))
    through_pooler = settings.database.through_pooler
    connection = ReconnectingConnection(dsn, application_name="outrider fetch", through_pooler=through_pooler)
    try:
        await connection.run(
            lambda db: recover_dead_workers(db, settings.frontier, request_s),
            patience_s=DATABASE_PATIENCE_S,
        )
        fetch = LeasedFetch(
            fetcher,
            connection,
            frontier,
            settings.fetch,
            settings.hosts,
            limits=limits,
            patience_s=patience_s,
        )
        async with fetch:
            yield fetch
    finally:
        await connection.close()
