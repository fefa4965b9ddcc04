"""The transaction of a use case, which a dry run rolls back."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg


@asynccontextmanager
async def one_transaction(db: asyncpg.Connection, *, dry_run: bool = False) -> AsyncIterator[None]:
    """Commit the writes of the block; roll them back after an error or for a dry run."""
    transaction = db.transaction()
    await transaction.start()
    try:
        yield
    except BaseException:
        await transaction.rollback()
        raise
    await (transaction.rollback() if dry_run else transaction.commit())
