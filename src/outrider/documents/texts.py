"""Writes the packed texts of documents, in parts of which two fill a block."""

from collections.abc import Iterable, Iterator

import asyncpg

# Two parts fill a block. Larger parts would leave most blocks half empty, smaller ones need more rows.
PART_BYTES = 4_000
_COLUMNS = ("text_id", "part", "bytes")


async def write_texts(db: asyncpg.Connection, texts: Iterable[tuple[int, bytes]]) -> None:
    """Write texts by their numbers, which a document or a version names in the same transaction."""
    # COPY makes room for many blocks at once, which INSERT does one by one (decision 110).
    await db.copy_records_to_table("document_text", records=_parts(texts), columns=_COLUMNS)


def _parts(texts: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, int, bytes]]:
    for text_id, text in texts:
        for part, start in enumerate(range(0, max(len(text), 1), PART_BYTES)):
            yield text_id, part, text[start : start + PART_BYTES]
