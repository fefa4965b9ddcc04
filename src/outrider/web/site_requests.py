"""Requests to other people's sites that a caller of the API waits for: few at once, and bounded in time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from outrider.crawl.politeness.single_fetch import Limits
from outrider.errors import Unavailable
from outrider.services.crawl.contact import check_contact
from outrider.services.fetch.fetch import options_within
from outrider.services.fetch.polite import FetchOne, polite_fetch, usual_limits
from outrider.web.context import ServerContext

AT_ONCE = 4  # in one process: each takes a connection and waits for the delay of its host
LONGEST_S = 30.0

_PART = "site_requests"


def database_address(context: ServerContext) -> str:
    """The address of the database, for connections that are not of the pool."""
    address: str | None = context.parts.get("dsn") or context.settings.database.url
    if not address:
        raise Unavailable("the server does not know the address of its database")
    return address


@asynccontextmanager
async def site_requests(
    context: ServerContext,
    urls: Sequence[str],
    *,
    longest_s: float = LONGEST_S,
    limits: Limits | None = None,
) -> AsyncIterator[FetchOne]:
    """A function that fetches as politely as a crawl, with host leases, within a bounded time.

    Raises Unavailable if too many such requests are under way, or if the time is over, and InvalidInput if
    a URL is on the public web and no contact is set.
    """
    settings = context.settings
    check_contact(settings.fetch, urls)
    room: asyncio.Semaphore = context.parts.setdefault(_PART, asyncio.Semaphore(AT_ONCE))
    if room.locked():
        raise Unavailable(f"{AT_ONCE} requests to sites are under way: try again in a moment")
    limits = replace(
        limits or usual_limits(settings),
        timeout_s=min((limits and limits.timeout_s) or settings.fetch.timeout_s, longest_s),
    )
    async with room:
        try:
            async with asyncio.timeout(longest_s):
                options = options_within(settings.fetch, limits)
                async with polite_fetch(settings, database_address(context), limits, options) as fetch_one:
                    yield fetch_one
        except TimeoutError:
            raise Unavailable(f"the site took longer than {longest_s:g} seconds") from None
