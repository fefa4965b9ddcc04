"""Pages that robots.txt blocked, looked at again once the stored robots.txt has expired (ROB-12).

A blocked page is dead. If every page of a host is dead, no visit would request the host's robots.txt
again. One pass queues one dead page for each origin whose stored file has expired. The
visit requests robots.txt. Rules that changed wake everything they had blocked; otherwise the page is dead
again until the new file expires. Feeds and sitemaps need none of this: they stay queued.
"""

from typing import NamedTuple

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.frontier.store import FrontierStore
from outrider.urls import UrlKey

HOSTS = 1_000  # in one pass, which is one transaction
PASSES = 20  # in one run of the task; the next run handles the remaining hosts
FIRST_HOST = -(2**63)


class RequeueResult(NamedTuple):
    """How many pages one pass queued, and its last host. None: there are no more hosts."""

    queued: int
    last_host: int | None


async def queue_blocked(
    db: asyncpg.Connection, frontier: FrontierStore, after: int = FIRST_HOST, hosts: int = HOSTS
) -> RequeueResult:
    """Queue one blocked page of each origin with an expired robots.txt, on up to `hosts` hosts."""
    rows = await db.fetch(Queries.load("outrider.watch").blocked_pages, after, hosts)
    keys = [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows if row["url_hash"] is not None]
    queued = await frontier.requeue(db, keys) if keys else 0
    seen = {row["host_id"] for row in rows}
    return RequeueResult(queued, max(seen) if len(seen) >= hosts else None)


async def queue_all_blocked(connection: ReconnectingConnection, frontier: FrontierStore) -> int:
    """Make up to `PASSES` passes over hosts with blocked pages; returns how many pages were queued."""
    queued, after = 0, FIRST_HOST
    for _ in range(PASSES):

        async def look(db: asyncpg.Connection, after: int = after) -> RequeueResult:
            return await queue_blocked(db, frontier, after)

        done = await connection.run(look, patience_s=60)
        queued += done.queued
        if done.last_host is None:
            break
        after = done.last_host
    return queued
