"""The documents' statements."""

from collections.abc import Sequence
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.model import Draft
from outrider.urls import UrlKey


class DocumentStore:
    """Keeps pages, confirms them, and finds them again."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.documents")

    async def keep(self, db: asyncpg.Connection, drafts: Sequence[Draft], slot: int) -> None:
        """Keep pages; equal texts within the batch and in the store become duplicates of the first."""
        if not drafts:
            return
        twins = _twins(drafts)
        await db.execute(
            self._sql.keep,
            [draft.key.host_id for draft in drafts],
            [draft.key.hash for draft in drafts],
            [draft.source_id for draft in drafts],
            [draft.status for draft in drafts],
            [draft.size for draft in drafts],
            [draft.words for draft in drafts],
            [draft.noindex for draft in drafts],
            [draft.content_hash for draft in drafts],
            [draft.is_comparable for draft in drafts],
            [twin.host_id if twin else None for twin in twins],
            [twin.hash if twin else None for twin in twins],
            [draft.etag for draft in drafts],
            [draft.last_modified for draft in drafts],
            [draft.content_type for draft in drafts],
            [draft.charset for draft in drafts],
            [draft.language for draft in drafts],
            [draft.title for draft in drafts],
            [draft.description for draft in drafts],
            [draft.canonical_url for draft in drafts],
            [draft.base for draft in drafts],
            [draft.links for draft in drafts],
            [draft.text for draft in drafts],
            [draft.author for draft in drafts],
            [draft.published_at for draft in drafts],
            [draft.meta for draft in drafts],
            [draft.signature for draft in drafts],
            slot,
        )

    async def confirm(self, db: asyncpg.Connection, keys: Sequence[UrlKey]) -> None:
        """304: what we have is still true."""
        if keys:
            await db.execute(self._sql.confirm, [key.host_id for key in keys], [key.hash for key in keys])

    async def find(self, db: asyncpg.Connection, key: UrlKey) -> Any | None:
        return await db.fetchrow(self._sql.find_document, key.host_id, key.hash)


def _twins(drafts: Sequence[Draft]) -> list[UrlKey | None]:
    """For each draft the earlier one of this batch that says the same, if any."""
    first: dict[bytes, UrlKey] = {}
    twins: list[UrlKey | None] = []
    for draft in drafts:
        twin = first.setdefault(draft.content_hash, draft.key) if draft.is_comparable else draft.key
        twins.append(None if twin == draft.key else twin)
    return twins
