"""Runs pieces of work on connections of a pool, as `ReconnectingConnection` does on its own one."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Protocol, TypeVar, cast

import asyncpg

from outrider.db.pool import explain
from outrider.db.retry import is_transient
from outrider.errors import Unavailable

T = TypeVar("T")

FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 2.0
ACQUIRE_TIMEOUT_S = 5.0


class RunsWork(Protocol):
    """Runs a piece of work on a connection, again after a transient error."""

    async def run(
        self,
        work: Callable[[asyncpg.Connection], Awaitable[T]],
        *,
        patience_s: float = 0.0,
        is_one_statement: bool = False,
    ) -> T: ...


class PooledConnections:
    """Takes a connection of a pool for each piece of work, at most `most` at once."""

    def __init__(self, pool: asyncpg.Pool, *, most: int) -> None:
        self._pool = pool
        self._turns = asyncio.Semaphore(most)

    async def run(
        self,
        work: Callable[[asyncpg.Connection], Awaitable[T]],
        *,
        patience_s: float = 0.0,
        is_one_statement: bool = False,
    ) -> T:
        """Run `work` in one transaction; while the database is down, try again for `patience_s`."""
        give_up_at = asyncio.get_running_loop().time() + patience_s
        wait_s = FIRST_WAIT_S
        while True:
            try:
                return await self._run(work, is_one_statement=is_one_statement)
            except Exception as error:
                if not (is_transient(error) or isinstance(error, asyncpg.InterfaceError)):
                    raise
                if asyncio.get_running_loop().time() + wait_s > give_up_at:
                    raise Unavailable(str(explain(error, "the address in the settings"))) from error
            await asyncio.sleep(wait_s)
            wait_s = min(wait_s * 2, LONGEST_WAIT_S)

    async def _run(self, work: Callable[[asyncpg.Connection], Awaitable[T]], *, is_one_statement: bool) -> T:
        async with self._turns:
            proxy = await self._pool.acquire(timeout=ACQUIRE_TIMEOUT_S)
            try:
                connection = cast(asyncpg.Connection, proxy)
                async with nullcontext() if is_one_statement else connection.transaction():
                    return await work(connection)
            finally:
                await self._pool.release(proxy)
