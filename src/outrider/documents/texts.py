"""Writes the packed texts of documents, in parts that fill the blocks of PostgreSQL."""

from collections.abc import Iterable, Iterator

import asyncpg

from outrider.documents.model import Draft

# Two of the smaller parts fill a block, and one of the larger.
HALF_BLOCK = 4_000
WHOLE_BLOCK = 8_100
_COLUMNS = ("text_id", "part", "bytes")


def packed_text(draft: Draft) -> bytes:
    """The text of a page as it is stored."""
    if not draft.is_unchanged:
        return draft.text
    # Rare: since the claim the page was purged, or another worker stored another text of it.
    from outrider.documents.packing import pack

    return pack(draft.text)


async def write_texts(db: asyncpg.Connection, texts: Iterable[tuple[int, bytes]]) -> None:
    """Write texts by their numbers, which a document or a version names in the same transaction."""
    # COPY makes room for many blocks at once, which INSERT does one by one (decision 110). It fills a block
    # with rows that follow each other, so the longest come first: none leaves its block half empty.
    parts = sorted(_parts(texts), key=_length, reverse=True)
    await db.copy_records_to_table("document_text", records=parts, columns=_COLUMNS)


def _length(part: tuple[int, int, bytes]) -> int:
    return len(part[2])


def _parts(texts: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, int, bytes]]:
    for text_id, text in texts:
        for number, piece in enumerate(pieces_of(text)):
            yield text_id, number, piece


def pieces_of(text: bytes) -> Iterator[bytes]:
    """The text in pieces of a block, of half a block, and what is left; one empty piece of an empty text."""
    start = 0
    while len(text) - start > HALF_BLOCK:
        size = WHOLE_BLOCK if len(text) - start >= WHOLE_BLOCK else HALF_BLOCK
        yield text[start : start + size]
        start += size
    if start < len(text) or not text:
        yield text[start:]
