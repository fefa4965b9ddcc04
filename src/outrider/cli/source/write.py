"""Changes to sources in one transaction, which a dry run rolls back."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

from outrider.cli.database import open_database
from outrider.db.retry import retrying
from outrider.frontier.store import FrontierStore
from outrider.settings import Loaded
from outrider.watch.source_service import SourceService

T = TypeVar("T")

LONGEST_S = 600.0  # an import of twenty thousand rows takes a while


async def write(
    loaded: Loaded,
    work: Callable[[asyncpg.Connection, SourceService], Awaitable[T]],
    *,
    dry_run: bool = False,
    may_create: bool = False,
) -> T:
    """Run `work`, again after a deadlock with workers."""
    source_service = SourceService(FrontierStore(loaded.settings.frontier))
    async with open_database(loaded, may_create=may_create) as database:

        async def attempt() -> T:
            async with database.connection() as db:
                transaction = db.transaction()
                await transaction.start()
                try:
                    result = await work(db, source_service)
                except BaseException:
                    await transaction.rollback()
                    raise
                await (transaction.rollback() if dry_run else transaction.commit())
                return result

        return await retrying(attempt, timeout_s=LONGEST_S)
