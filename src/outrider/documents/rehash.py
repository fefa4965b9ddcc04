"""Gives documents new keys in a rehash; the plan is the table `url_rehash`."""

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.documents")


async def rehash_documents(db: asyncpg.Connection, slot: int) -> None:
    """Give the documents of the selected moves their new keys; merge the histories of duplicates."""
    await db.execute(_SQL.free_copies, slot)
    await db.execute(_SQL.merge_versions)
    await db.execute(_SQL.drop_superseded, slot)
    await db.execute(_SQL.move_documents)
    await db.execute(_SQL.number_documents)


async def repoint_copies(db: asyncpg.Connection, *part: int | str) -> None:
    """Replace the old keys of originals in a range of documents."""
    await db.execute(_SQL.point_copies, *part)


async def drop_old_bands(db: asyncpg.Connection) -> None:
    """Remove the signature bands of old keys."""
    await db.execute(_SQL.drop_bands)
