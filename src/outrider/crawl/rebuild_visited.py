"""Fill the set of visited URLs in Redis again from the database, after Redis lost it (DED-07)."""

from collections.abc import Callable

from outrider.crawl.shared_seen import SharedSeen
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.store import FrontierStore
from outrider.urls import UrlKey

PAGE = 10_000
FIRST = UrlKey(-(2**63), "0" * 32)


async def rebuild_visited(
    connection: ReconnectingConnection,
    frontier: FrontierStore,
    shared: SharedSeen,
    progress: Callable[[int], None],
) -> int:
    """Store every page's URL in Redis, ten thousand at a time in the order of keys; returns how many.

    A URL that is deleted meanwhile changes the lineage of the database, and workers ignore what is stored
    under the old lineage. `progress` gets the number so far after each batch.
    """
    filed, after = 0, FIRST
    while True:
        lineage, known = await connection.run(
            lambda db, after=after: frontier.known_urls(db, after, PAGE),  # type: ignore[misc]
            patience_s=60,
        )
        if known:
            await shared.store(lineage, known)
            filed += len(known)
            progress(filed)
        if len(known) < PAGE:
            return filed
        after = known[-1].key
