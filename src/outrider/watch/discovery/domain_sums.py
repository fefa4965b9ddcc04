"""The sums of discovered domains: the leader makes them while there are too many links for each reader.

Only counts, times and shares are taken from the sums. What people decided, and whether a source has the
domain, is read from its own tables, so it applies at once.
"""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection

SUM_EVERY_S = 300.0
MOST_SUMMED_BY_READERS = 3_000  # links; about 10 ms
OLDEST_SUMS = timedelta(seconds=3 * SUM_EVERY_S)

Fence = Callable[[asyncpg.Connection], Awaitable[None]]

_SQL = Queries.load("outrider.watch")


async def sums_as_of(
    db: asyncpg.Connection, now: datetime, most_links: int = MOST_SUMMED_BY_READERS
) -> datetime | None:
    """When the sums were made; None if a reader must sum up: there are few links, or no leader did it."""
    as_of: datetime | None = await db.fetchval(_SQL.domains_summed_at)
    if as_of is None or now - as_of > OLDEST_SUMS:
        return None
    return as_of if await db.fetchval(_SQL.has_many_links, most_links) else None


async def sum_domains(
    db: asyncpg.Connection, fence: Fence, now: datetime, most_links: int = MOST_SUMMED_BY_READERS
) -> bool:
    """Sum up the links by domain; False, and no sums are kept, if there are few links."""
    async with db.transaction():
        await fence(db)
        if not await db.fetchval(_SQL.has_many_links, most_links):
            await db.execute(_SQL.forget_summed)
            await db.execute(_SQL.forget_domain_sums)
            return False
        await db.execute(_SQL.forget_sums_without_links)
        await db.execute(_SQL.sum_domains)
        await db.execute(_SQL.record_summed, now)
        return True


async def keep_sums(connection: ReconnectingConnection, fence: Fence) -> None:
    """The duty of the leader."""
    await connection.run(partial(sum_domains, fence=fence, now=datetime.now(UTC)))
