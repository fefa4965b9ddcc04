"""Requests of commands: with host leases if there is a database."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from outrider.cli.database import has_database, open_database
from outrider.cli.output import say
from outrider.crawl.politeness.single_fetch import Limits, SingleFetch
from outrider.errors import OutriderError
from outrider.fetch import FetchOptions
from outrider.services.fetch.polite import FetchOne, polite_session
from outrider.settings import Loaded


@asynccontextmanager
async def fetch_for_command(
    loaded: Loaded,
    limits: Limits | None = None,
    options: FetchOptions | None = None,
    *,
    database_is_optional: bool = False,
) -> AsyncIterator[FetchOne]:
    """A function that fetches a URL as `session_for_command` does."""
    opened = session_for_command(loaded, limits, options, database_is_optional=database_is_optional)
    async with opened as session:
        yield session.run


@asynccontextmanager
async def session_for_command(
    loaded: Loaded,
    limits: Limits | None = None,
    options: FetchOptions | None = None,
    *,
    database_is_optional: bool = False,
) -> AsyncIterator[SingleFetch]:
    """The session of `polite_session`, with the database of the settings if it exists."""
    async with AsyncExitStack() as stack:
        fetch: SingleFetch | None = None
        if has_database(loaded):
            try:
                fetch = await stack.enter_async_context(_with_leases(loaded, limits, options))
            except OutriderError as error:
                if not database_is_optional:
                    raise
                say(f"{error}; so the host is requested without a lease")
        if fetch is None:
            without = polite_session(loaded.settings, None, limits, options)
            fetch = await stack.enter_async_context(without)
        yield fetch


@asynccontextmanager
async def _with_leases(
    loaded: Loaded, limits: Limits | None, options: FetchOptions | None
) -> AsyncIterator[SingleFetch]:
    async with (
        open_database(loaded, may_create=False) as database,
        polite_session(loaded.settings, database.dsn, limits, options) as fetch,
    ):
        yield fetch
