"""Single requests of commands, as polite as a crawl: with host leases if there is a database."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from outrider.cli.database import Database, has_database, open_database
from outrider.cli.output import say
from outrider.crawl.politeness.host_session import MARGIN_S
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.politeness.single import Single
from outrider.crawl.politeness.single_fetch import Limits, SingleFetch
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import OutriderError
from outrider.fetch import Fetcher, FetchOptions
from outrider.frontier.store import FrontierStore
from outrider.settings import Loaded
from outrider.workers.recovery import recover_dead_workers

FetchOne = Callable[[str], Awaitable[Single]]

PATIENCE_S = 60.0  # how long a command waits for a host that is leased or rests
DATABASE_PATIENCE_S = 10.0


@asynccontextmanager
async def polite_fetch(
    loaded: Loaded,
    limits: Limits | None = None,
    options: FetchOptions | None = None,
    *,
    database_is_optional: bool = False,
) -> AsyncIterator[FetchOne]:
    """A function that fetches a URL: robots.txt is read once, and each host keeps its delay (CLM-13).

    With a database each host is leased first: no worker requests it meanwhile, and its delay continues
    afterwards. The function raises Conflict if a host stays leased.
    """
    settings = loaded.settings
    limits = limits or Limits(settings.fetch.max_redirects, ignore_robots=not settings.crawl.respect_robots)
    async with AsyncExitStack() as stack:
        fetcher = Fetcher(options or settings.fetch)
        stack.push_async_callback(fetcher.close)
        fetch = SingleFetch(fetcher, settings.hosts, limits)
        if has_database(loaded):
            try:
                fetch = await stack.enter_async_context(_under_leases(loaded, fetcher, limits))
            except OutriderError as error:
                if not database_is_optional:
                    raise
                say(f"{error}; so the host is requested without a lease")
        yield fetch.run


@asynccontextmanager
async def _under_leases(loaded: Loaded, fetcher: Fetcher, limits: Limits) -> AsyncIterator[LeasedFetch]:
    async with (
        open_database(loaded, may_create=False) as database,
        leased_fetch(loaded, database, fetcher, limits) as fetch,
    ):
        yield fetch


@asynccontextmanager
async def leased_fetch(
    loaded: Loaded, database: Database, fetcher: Fetcher, limits: Limits, *, patience_s: float = PATIENCE_S
) -> AsyncIterator[LeasedFetch]:
    """A LeasedFetch of this command, with its own connection."""
    settings = loaded.settings
    request_s = limits.timeout_s or settings.fetch.timeout_s
    lease_s = max(settings.frontier.lease_s, 2 * (request_s + MARGIN_S))
    frontier = FrontierStore(replace(settings.frontier, lease_s=lease_s))
    through_pooler = settings.database.through_pooler
    connection = ReconnectingConnection(
        database.dsn, application_name="outrider fetch", through_pooler=through_pooler
    )
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
