"""The store of documents."""

from collections.abc import Collection, Sequence
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.count_changes import CountChanges, count_changes
from outrider.documents.model import Draft
from outrider.documents.texts import packed_text, write_texts
from outrider.urls import UrlKey

_NO_KEY = (None, None)
MOST_COUNTED = 1_000_000
MOST_SHARING = 20  # documents of a band: one that more share is boilerplate, and other bands find the copies


class DocumentStore:
    """Stores, confirms, compares and finds documents."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.documents")

    async def keep(self, db: asyncpg.Connection, drafts: Sequence[Draft]) -> CountChanges:
        """Store pages; equal texts in the batch and in the store become duplicates of the first.

        The caller adds the returned numbers to the counters, in the same transaction.
        """
        if not drafts:
            return count_changes(())
        rows = [_row(draft, twin) for draft, twin in zip(drafts, _twins(drafts), strict=True)]
        *changes, texts = await db.fetch(
            self._sql.keep,
            rows,
            [draft.key.host_id for draft in drafts],
            [draft.key.hash for draft in drafts],
            [draft.content_hash for draft in drafts],
        )
        if texts["text_ids"]:
            by_key = {draft.key: draft for draft in drafts}
            numbered = zip(texts["host_ids"], texts["hashes"], texts["text_ids"], strict=True)
            await write_texts(
                db,
                [
                    (text_id, packed_text(by_key[UrlKey(host_id, url_hash.hex)]))
                    for host_id, url_hash, text_id in numbered
                ],
            )
        return count_changes(changes)

    async def forget_validators(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> None:
        """Make the next request for these pages unconditional."""
        await db.execute(
            self._sql.forget_validators, [key.host_id for key in keys], [key.hash for key in keys]
        )

    async def confirm(self, db: asyncpg.Connection, keys: Sequence[UrlKey]) -> None:
        """Record answers of 304: the stored pages are unchanged."""
        if keys:
            await db.execute(self._sql.confirm, [key.host_id for key in keys], [key.hash for key in keys])

    async def lock_comparison(self, db: asyncpg.Connection) -> bool:
        """Lock out other comparisons until this transaction ends; False when one is running."""
        return bool(await db.fetchval(self._sql.lock_comparison))

    async def take_uncompared(self, db: asyncpg.Connection, limit: int) -> list[tuple[UrlKey, bytes | None]]:
        """Take documents out of the queue of those to compare; None for one that needs it no more."""
        rows = await db.fetch(self._sql.take_uncompared, limit)
        return [(UrlKey(row["host_id"], row["url_hash"].hex), row["signature"]) for row in rows]

    async def unsigned(self, db: asyncpg.Connection, limit: int) -> list[tuple[UrlKey, bytes | None]]:
        """Documents without a signature, with their packed text."""
        rows = await db.fetch(self._sql.unsigned, limit)
        return [(UrlKey(row["host_id"], row["url_hash"].hex), row["text"]) for row in rows]

    async def count_unsigned(self, db: asyncpg.Connection) -> int:
        """How many documents wait to be compared, counted up to a million."""
        waiting: int = await db.fetchval(self._sql.count_unsigned, MOST_COUNTED)
        return waiting

    async def find_by_bands(self, db: asyncpg.Connection, bands: Collection[int]) -> list[tuple[int, UrlKey]]:
        """Pairs of band and document: the candidates for near-duplicates."""
        rows = await db.fetch(self._sql.find_by_bands, list(bands), MOST_SHARING)
        return [(row["band"], UrlKey(row["host_id"], row["url_hash"].hex)) for row in rows]

    async def signatures(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> dict[UrlKey, bytes]:
        """The signatures of the documents that have one and are no copies."""
        rows = await db.fetch(self._sql.signatures, [key.host_id for key in keys], [key.hash for key in keys])
        return {UrlKey(row["host_id"], row["url_hash"].hex): row["signature"] for row in rows}

    async def sign(
        self, db: asyncpg.Connection, signed: Sequence[tuple[UrlKey, bytes, UrlKey | None]]
    ) -> CountChanges:
        """Store signatures, each with the document that it nearly duplicates.

        The caller adds the returned numbers to the counters, in the same transaction.
        """
        rows = await db.fetch(
            self._sql.sign,
            [key.host_id for key, _, _ in signed],
            [key.hash for key, _, _ in signed],
            [signature for _, signature, _ in signed],
            [twin.host_id if twin else None for _, _, twin in signed],
            [twin.hash if twin else None for _, _, twin in signed],
        )
        return count_changes(rows)

    async def add_bands(
        self, db: asyncpg.Connection, documents: Sequence[tuple[UrlKey, Sequence[int | None]]]
    ) -> None:
        """Add documents to the index of bands. All have equally many; None stands for one to leave out."""
        await db.execute(
            self._sql.add_bands,
            [band for _, bands in documents for band in bands],
            len(documents[0][1]),
            [key.host_id for key, _ in documents],
            [key.hash for key, _ in documents],
        )

    async def find(self, db: asyncpg.Connection, key: UrlKey) -> Any | None:
        return await db.fetchrow(self._sql.find_document, key.host_id, key.hash)

    async def titles_of_host(self, db: asyncpg.Connection, host_id: int, limit: int) -> list[tuple[str, str]]:
        """The URL and title of pages of a host that have one."""
        rows = await db.fetch(self._sql.titles_of_host, host_id, limit)
        return [(row["url"], row["title"]) for row in rows]

    async def same_content(self, db: asyncpg.Connection, key: UrlKey, limit: int) -> list[tuple[str, bool]]:
        """The URLs of documents with the text of this one, and whether it is only nearly the same."""
        rows = await db.fetch(self._sql.same_content, key.host_id, key.hash, limit)
        return [(row["url"], row["near_duplicate"]) for row in rows]


def _twins(drafts: Sequence[Draft]) -> list[UrlKey | None]:
    """For each draft the earlier draft of this batch with the same text, if any."""
    first: dict[bytes, UrlKey] = {}
    twins: list[UrlKey | None] = []
    for draft in drafts:
        twin = first.setdefault(draft.content_hash, draft.key) if draft.is_comparable else draft.key
        twins.append(None if twin == draft.key else twin)
    return twins


def _row(draft: Draft, twin: UrlKey | None) -> tuple[object, ...]:
    """A flush_page."""
    return (
        *draft.key,
        draft.source_id,
        draft.status,
        draft.size,
        draft.words,
        draft.noindex,
        draft.content_hash,
        draft.is_comparable,
        *(twin or _NO_KEY),
        draft.etag,
        draft.last_modified,
        draft.content_type,
        draft.charset,
        draft.language,
        draft.title,
        draft.description,
        draft.canonical_url,
        draft.base,
        draft.links,
        draft.author,
        draft.published_at,
        draft.meta,
        draft.page_type,
        draft.unindexed,
        draft.links_count,
        draft.signature,
    )
