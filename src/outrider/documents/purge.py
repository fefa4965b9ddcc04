"""Selects stored pages by filters, and removes them."""

from collections.abc import Collection
from dataclasses import astuple, dataclass
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.count_changes import CountChanges, count_changes
from outrider.urls import UrlKey

_SQL = Queries.load("outrider.documents")


@dataclass(frozen=True, slots=True)
class PageSelection:
    """Which stored pages to change. A field that is None does not filter."""

    host_id: int | None = None
    source_id: int | None = None
    fetched_since: datetime | None = None
    fetched_until: datetime | None = None
    content_type: str | None = None  # or how it begins


async def count_selected(db: asyncpg.Connection, selection: PageSelection) -> int:
    """How many stored pages are selected."""
    count: int = await db.fetchval(_SQL.count_selected_pages, *astuple(selection))
    return count


async def select_batch(
    db: asyncpg.Connection, selection: PageSelection, after: UrlKey, limit: int
) -> list[UrlKey]:
    """A batch of the selected pages, in the order of their keys."""
    rows = await db.fetch(_SQL.select_pages, *astuple(selection), after.host_id, after.hash, limit)
    return [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]


async def purge(db: asyncpg.Connection, keys: Collection[UrlKey]) -> tuple[int, CountChanges]:
    """Remove stored pages with their versions; returns how many, and what changed in the counters."""
    rows = await db.fetch(_SQL.purge_documents, [key.host_id for key in keys], [key.hash for key in keys])
    texts = [text_id for row in rows for text_id in (*row["text_ids"], *(row["old_text_ids"] or ()))]
    await db.execute(_SQL.remove_texts, texts)
    return sum(row["removed"] for row in rows), count_changes(rows)
