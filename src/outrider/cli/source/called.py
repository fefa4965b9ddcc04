"""The source that is named on the command line."""

import asyncpg

from outrider.errors import NotFound
from outrider.sources.owners import owner_called


async def source_called(db: asyncpg.Connection, name: str | None) -> int | None:
    """Its number; None where `name` is None. Raises NotFound where there is none of that name."""
    if name is None:
        return None
    source_id = await owner_called(db, name)
    if source_id is not None:
        return source_id
    raise NotFound(f"there is no source {name!r}: `outrider stats` lists them")
