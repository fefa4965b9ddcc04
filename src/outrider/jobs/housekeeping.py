"""Removes old runs with their logs, and schedulers that are long gone (JOB-17). One pass."""

import asyncio
from collections.abc import Awaitable, Callable

import asyncpg

from outrider.db.queries import Queries
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import OutriderError
from outrider.jobs.pruning import KEEP_FOR, KEEP_NEWEST
from outrider.logs import get_logger
from outrider.runs.store import RunStore

log = get_logger()

AT_ONCE = 1_000  # runs in one transaction
PATIENCE_S = 10.0

_SQL = Queries.load("outrider.jobs")

Check = Callable[[asyncpg.Connection], Awaitable[None]]


async def prune_runs(
    connection: ReconnectingConnection, check: Check, remove_log: Callable[[str], None]
) -> int:
    """Remove old runs in batches; returns how many.

    Each transaction begins with `check`, which raises if this process may not write. `remove_log` removes an
    archived log after the commit, in a thread. A log that cannot be removed is logged and stays.
    """
    pruned = 0
    while True:
        keys = await connection.run(lambda db: _prune(db, check), patience_s=PATIENCE_S)
        for key in filter(None, keys):
            await _remove_log(remove_log, key)
        pruned += len(keys)
        if len(keys) < AT_ONCE:
            return pruned


async def _remove_log(remove_log: Callable[[str], None], key: str) -> None:
    try:
        await asyncio.to_thread(remove_log, key)
    except (OutriderError, OSError) as error:
        log.warning("archived log not deleted: delete it by hand", key=key, error=str(error))


async def _prune(db: asyncpg.Connection, check: Check) -> list[str | None]:
    async with db.transaction():
        await check(db)
        await db.execute(_SQL.forget_schedulers)
        return await RunStore().prune(db, KEEP_NEWEST, KEEP_FOR.total_seconds(), AT_ONCE)
