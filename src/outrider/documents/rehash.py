"""Gives documents new keys in a rehash; the plan is the table `url_rehash`."""

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.count_changes import CountChanges, count_changes

_SQL = Queries.load("outrider.documents")


async def rehash_documents(db: asyncpg.Connection) -> CountChanges:
    """Give the documents of the selected moves their new keys; merge the histories of duplicates.

    The caller adds the returned numbers to the counters, in the same transaction.
    """
    freed = await db.fetch(_SQL.free_copies)
    await db.execute(_SQL.merge_versions)
    dropped = await db.fetch(_SQL.drop_superseded)
    await db.execute(_SQL.move_documents)
    await db.execute(_SQL.number_documents)
    return count_changes((*freed, *dropped))


async def repoint_copies(db: asyncpg.Connection, *part: int | str) -> None:
    """Replace the old keys of originals in a range of documents."""
    await db.execute(_SQL.point_copies, *part)


async def drop_old_bands(db: asyncpg.Connection) -> None:
    """Remove the signature bands of old keys."""
    await db.execute(_SQL.drop_bands)
