"""A few requests by hand, one after another, as a crawl would make them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from outrider.crawl.by_hand.single import Limits, Single, SingleFetch
from outrider.fetch import Fetcher
from outrider.settings import Settings


@asynccontextmanager
async def politely(settings: Settings) -> AsyncIterator[Callable[[str], Awaitable[Single]]]:
    """A function that fetches a URL: robots.txt is asked once, and each host keeps its rhythm."""
    fetcher = Fetcher(settings.fetch)
    limits = Limits(settings.fetch.max_redirects, ignore_robots=not settings.crawl.respect_robots)
    try:
        yield SingleFetch(fetcher, settings.hosts, limits).run
    finally:
        await fetcher.close()
