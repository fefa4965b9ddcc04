"""The periodic tasks of a worker for watched sources."""

from collections.abc import Callable

import asyncpg

from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.feeds.options import FeedOptions
from outrider.frontier.store import FrontierStore
from outrider.periodic_tasks import PeriodicTask
from outrider.urls import UrlKey
from outrider.watch import discovery_stats
from outrider.watch.blocked import queue_all_blocked
from outrider.watch.discovery.search import ChannelSearch
from outrider.watch.websub.subscribe import Subscriber

RETURN_S = 30.0
NEW_S = 30.0  # short: the operator who added a source waits for its first pages
BLOCKED_S = 60.0
LEARN_S = 3600.0
SUBSCRIBE_S = 60.0
MOST_SUBSCRIPTIONS = 20  # in one pass: requests to one hub wait for each other


def watch_tasks(
    connection: ReconnectingConnection,
    frontier: FrontierStore,
    options: FeedOptions,
    open_fetch: Callable[[], LeasedFetch],
) -> list[PeriodicTask]:
    """All tasks that the options enable. Each is safe to run in several workers at once."""
    search, every_s = ChannelSearch(connection, frontier, options, open_fetch), options.discovery_s

    found = [
        PeriodicTask(
            "learn from discovery statistics", LEARN_S, lambda: connection.run(discovery_stats.learn)
        )
    ]
    if options.poll:
        back = PeriodicTask(
            "return channels", RETURN_S, lambda: connection.run(lambda db: return_channels(db, frontier))
        )
        found.append(back)
    found.append(
        PeriodicTask(
            "look at blocked pages again", BLOCKED_S, lambda: queue_all_blocked(connection, frontier)
        )
    )
    if options.discover:
        found += [
            PeriodicTask("search new sources", NEW_S, search.new),
            PeriodicTask("search for channels", every_s, search.all),
            PeriodicTask("offer sitemaps", every_s, lambda: search.offer_sitemaps(2 * every_s)),
        ]
    if options.websub_callback is not None:
        callback = options.websub_callback
        found.append(
            PeriodicTask(
                "subscribe to hubs", SUBSCRIBE_S, lambda: subscribe(connection, callback, open_fetch)
            )
        )
    return found


async def subscribe(
    connection: ReconnectingConnection, callback: str, open_fetch: Callable[[], LeasedFetch]
) -> None:
    """Send all due requests to hubs with one LeasedFetch: requests to one hub are sequential."""
    async with open_fetch() as fetch:
        subscriber = Subscriber(connection, callback, fetch.post)
        await subscriber.look_up()
        for _ in range(MOST_SUBSCRIPTIONS):
            if await subscriber.one() is None:
                return


async def return_channels(db: asyncpg.Connection, frontier: FrontierStore) -> int:
    """Queue the channels of sources that poll again (SRC-03); returns how many."""
    rows = await db.fetch(Queries.load("outrider.watch").resting_channels)
    return await frontier.requeue(db, [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows])
