"""The use case of `outrider rebuild-visited`: rebuild the set of visited URLs in Redis (DED-07)."""

from collections.abc import Callable
from dataclasses import dataclass

from outrider.crawl.options import CrawlOptions
from outrider.crawl.rebuild_visited import rebuild_visited
from outrider.crawl.shared_seen import SharedSeen
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.redis.options import RedisOptions


@dataclass(frozen=True, slots=True)
class RebuiltVisited:
    """How many URLs the rebuilt set has."""

    urls: int


def check_sharing(crawl: CrawlOptions) -> None:
    """Raise Misconfigured unless workers share visited URLs."""
    if not crawl.share_visited:
        raise Misconfigured("workers do not share visited URLs: set OUTRIDER_REDIS_VISITED to true first")


async def rebuild_visited_set(
    connection: ReconnectingConnection,
    crawl: CrawlOptions,
    redis: RedisOptions,
    frontier: FrontierOptions,
    progress: Callable[[int], None],
) -> RebuiltVisited:
    """Read every URL from the database into Redis, a batch at a time; raises Misconfigured.

    `progress` takes the number of URLs so far. The connection reconnects, because a rebuild may take long.
    """
    check_sharing(crawl)
    shared = SharedSeen(redis, crawl.share_visited_s)
    try:
        return RebuiltVisited(await rebuild_visited(connection, FrontierStore(frontier), shared, progress))
    finally:
        await shared.close()
