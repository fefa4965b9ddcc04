"""The source that somebody names on the command line."""

import asyncpg

from outrider.errors import NotFound
from outrider.sources.owners import all_owners


async def source_called(db: asyncpg.Connection, name: str | None) -> int | None:
    """Its number; None where nobody named one. Raises NotFound where there is none of that name."""
    if name is None:
        return None
    for source in await all_owners(db):
        if source.name == name:
            return source.source_id
    raise NotFound(f"there is no source {name!r}: `outrider stats` lists them")
