"""Documents whose addresses get other keys in a rehash; the plan is the table `url_rehash`."""

import asyncpg

from outrider.db.queries import Queries

_SQL = Queries.load("outrider.documents")


async def rehash_documents(db: asyncpg.Connection, slot: int) -> None:
    """Give the documents in hand their new keys; two that become one get one history."""
    await db.execute(_SQL.free_copies, slot)
    await db.execute(_SQL.merge_versions)
    await db.execute(_SQL.drop_superseded, slot)
    await db.execute(_SQL.move_documents)
    await db.execute(_SQL.number_documents)


async def repoint_copies(db: asyncpg.Connection, *part: int | str) -> None:
    """Copies in a part of the documents name their originals by the new keys."""
    await db.execute(_SQL.point_copies, *part)


async def drop_old_bands(db: asyncpg.Connection) -> None:
    """Forget what was stored under old keys to find near-duplicates."""
    await db.execute(_SQL.drop_bands)
