"""Repeats a database write after a transient error."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import asyncpg

from outrider.errors import Unavailable

T = TypeVar("T")

WAITS_S = (0.1, 0.2, 0.4)
TRY_TIMEOUT_S = 5.0

_TRANSIENT: tuple[type[BaseException], ...] = (
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.PostgresConnectionError,  # class 08, and what asyncpg raises when the socket closed under it
    asyncpg.OperatorInterventionError,  # class 57: server stopping, starting, or it crashed
    asyncpg.InsufficientResourcesError,  # class 53: disk, memory or connections may become free
    OSError,  # refused, reset, no socket there; TimeoutError is one of these
)


def is_transient(error: BaseException) -> bool:
    """Whether the same statement could succeed a moment later."""
    if isinstance(error, asyncpg.QueryCanceledError):
        return False  # class 57 as well, but a statement that ran out of time will do so again
    if isinstance(error, asyncpg.InterfaceError):
        return "connection is closed" in str(error)  # it died while we held it
    return isinstance(error, _TRANSIENT)


async def retrying(
    attempt: Callable[[], Awaitable[T]],
    *,
    waits_s: Sequence[float] = WAITS_S,
    timeout_s: float = TRY_TIMEOUT_S,
) -> T:
    """Run `attempt` until it succeeds, at most once more per wait; other errors are raised.

    A connection can be lost between the commit and its acknowledgement, so `attempt` must be
    safe to repeat after it has succeeded.
    """
    for wait_s in waits_s:
        try:
            async with asyncio.timeout(timeout_s):
                return await attempt()
        except Exception as error:
            if not is_transient(error):
                raise
        await asyncio.sleep(wait_s)
    try:
        async with asyncio.timeout(timeout_s):
            return await attempt()
    except Exception as error:
        if not is_transient(error):
            raise
        tries = len(waits_s) + 1
        raise Unavailable(
            f"the database did not take a write in {tries} tries: {error or 'timed out'}"
        ) from error
