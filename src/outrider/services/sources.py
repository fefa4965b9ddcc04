"""Use cases of sources."""

import asyncpg

from outrider.errors import NotFound
from outrider.frontier.sources import SourceStore


async def source_id_named(db: asyncpg.Connection, name: str | None) -> int | None:
    """The number of the source of that name, None for None; raises NotFound where there is no such source."""
    if name is None:
        return None
    for source in await SourceStore().all(db):
        if source.name == name:
            return source.source_id
    raise NotFound(f"there is no source {name!r}: `outrider stats` lists them")
