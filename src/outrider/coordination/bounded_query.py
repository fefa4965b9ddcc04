"""Runs one statement with a time limit, on a connection that is opened anew when the limit is passed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable

T = TypeVar("T")

TIMEOUT_S = 5.0


async def run_bounded(
    connection: ReconnectingConnection,
    work: Callable[[asyncpg.Connection], Awaitable[T]],
    *,
    timeout_s: float = TIMEOUT_S,
) -> T:
    """The result of one statement. Raises Unavailable when it takes too long, or the server is a standby."""
    try:
        async with asyncio.timeout(timeout_s):
            return await connection.run(work, is_one_statement=True)
    except TimeoutError as error:
        await connection.close()
        raise Unavailable(f"PostgreSQL did not answer within {timeout_s:g} seconds") from error
    except asyncpg.ReadOnlySQLTransactionError as error:
        await connection.close()  # the address may lead to the new primary next time
        raise Unavailable("PostgreSQL takes no writes: it is a standby, or set to read only") from error
