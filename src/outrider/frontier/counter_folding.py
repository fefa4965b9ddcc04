"""Folds the counters of all slots into one slot, so that a total is a sum of few rows.

Each worker counts in a slot of its own. With thousands of sources the slots have many rows, and every total
reads all of them. The leader moves their values to the folded slot, which no worker writes. A total stays
exact at every moment: a value leaves its slot and arrives in the folded one in the same commit.
"""

from collections.abc import Awaitable, Callable
from functools import partial

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection

FOLDED_SLOT = -1
FOLD_EVERY_S = 600.0
MOST_ROWS = 20_000  # that stay in the slots of workers: their sum takes about 3 ms
AT_ONCE = 2_000  # rows in one transaction, which a flush of their worker may have to wait for
MOST_TRANSACTIONS = 1_000  # of one time: busy workers add rows again

Fence = Callable[[asyncpg.Connection], Awaitable[None]]

_SQL = Queries.load("outrider.frontier")


async def fold_counters(
    db: asyncpg.Connection, fence: Fence, most_rows: int = MOST_ROWS, at_once: int = AT_ONCE
) -> int:
    """Fold all slots if they have more than `most_rows`; returns how many rows were folded.

    Rows that a flush is changing are left for the next time: this transaction waits for no other one.
    """
    folded = 0
    if not await db.fetchval(_SQL.has_many_counters, most_rows):
        return folded
    for _ in range(MOST_TRANSACTIONS):
        async with db.transaction():
            await fence(db)
            moved: int = await db.fetchval(_SQL.fold_counters, FOLDED_SLOT, at_once)
        folded += moved
        if moved < at_once:
            break
    return folded


async def keep_folded(connection: ReconnectingConnection, fence: Fence) -> None:
    """The duty of the leader."""
    await connection.run(partial(fold_counters, fence=fence))
