"""The position of a snapshot: where a stream has to begin so that nothing falls between the two."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from outrider.events import log


async def current_position(db: asyncpg.Connection) -> str:
    """The position of the event log for a snapshot of the state.

    Call it before the state is read, or in `snapshot`: then every event that the snapshot does not show comes
    after the position. The snapshot may show some of those that come after it, too, because readers wait for
    older transactions that still run; so events set values, and applying one twice does no harm.
    """
    return str(await log.current_position(db))


@asynccontextmanager
async def snapshot(db: asyncpg.Connection) -> AsyncIterator[str]:
    """A transaction in which all statements see the same state; gives the position of that state."""
    async with db.transaction(isolation="repeatable_read", readonly=True):
        yield await current_position(db)
