"""Fetch a robots.txt for an operator, with the delay and lease of a crawl, and store it."""

import asyncpg

from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.robots.file import RobotsFile
from outrider.crawl.robots.wake import wake_allowed
from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of, host_of


async def refresh_robots(fetch: LeasedFetch, origin: str, life_s: float) -> RobotsFile:
    """Fetch and store the file; entries that it blocked before and allows now are queued again (ROB-12).

    An unusable answer leaves the stored file as it is.
    """
    file = await fetch.robots_file(origin)
    rules = file.rules
    if rules is None:
        return file
    host_id = host_id_of(host_of(origin))

    async def write(db: asyncpg.Connection) -> None:
        await RobotsStore().remember(
            db, host_id=host_id, origin=origin, status=file.status, body=file.body, life_s=life_s
        )

    await fetch.connection.run(write, patience_s=60)
    await wake_allowed(fetch.connection, fetch.frontier, host_id, origin, rules)
    return file
