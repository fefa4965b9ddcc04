"""Dead entries back in the queue, because somebody asks for it (FRO-12)."""

from collections.abc import Collection
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.store import FrontierStore
from outrider.urls import UrlKey

PAGE = 1_000
FIRST = UrlKey(-(2**63), "0" * 32)


async def retry(db: asyncpg.Connection, frontier: FrontierStore, keys: Collection[UrlKey]) -> set[UrlKey]:
    """Queue those of the addresses that are dead; the answer names them."""
    sql = Queries.load("outrider.crawl.by_hand")
    async with db.transaction():
        rows = await db.fetch(sql.dead_among, [key.host_id for key in keys], [key.hash for key in keys])
        dead = {_key(row) for row in rows}
        if dead:
            await frontier.requeue(db, dead)
    return dead


async def retry_because(
    db: asyncpg.Connection, frontier: FrontierStore, reason: str, host_id: int | None
) -> int:
    """Queue everything that died of `reason`, a page of entries in each transaction; says how many."""
    sql = Queries.load("outrider.crawl.by_hand")
    queued, after = 0, FIRST
    while True:
        async with db.transaction():
            rows = await db.fetch(sql.dead_because, reason, host_id, after.host_id, after.hash, PAGE)
            dead = [_key(row) for row in rows]
            if dead:
                await frontier.requeue(db, dead)
        queued += len(dead)
        if len(dead) < PAGE:
            return queued
        after = dead[-1]


def _key(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)
