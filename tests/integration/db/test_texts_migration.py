"""Migration 0031 moves texts to a table of their own, and takes them back without loss."""

import os
from collections.abc import AsyncIterator
from uuid import UUID

import asyncpg
import pytest

from outrider.db import migrate

BEFORE, AFTER = 30, 31
TEXTS = {1: os.urandom(9_000), 2: os.urandom(4_000), 3: b"x", 4: b"", 5: None}


@pytest.fixture
async def connection(empty_database: str) -> AsyncIterator[asyncpg.Connection]:
    opened = await asyncpg.connect(empty_database)
    yield opened
    await opened.close()


async def test_texts_move_to_their_table_and_back(connection):
    await migrate.up(connection, to=BEFORE)
    for host_id, text in TEXTS.items():
        await connection.execute(
            "INSERT INTO document "
            "(host_id, url_hash, source_id, bytes, words, http_status, content_hash, text) "
            "VALUES ($1, $2, 0, 0, 0, 200, $3, $4)",
            host_id,
            UUID(int=1),
            bytes([host_id]),
            text,
        )
        await connection.execute(
            "INSERT INTO document_version (host_id, url_hash, version, fetched_at, content_hash, text) "
            "VALUES ($1, $2, 1, now(), '', $3)",
            host_id,
            UUID(int=1),
            text and text[::-1],
        )

    await migrate.up(connection, to=AFTER)
    moved = await _texts(connection, "packed_text(text_id)")
    await migrate.down(connection, BEFORE)
    back = await _texts(connection, "text")

    before = [(text, text and text[::-1]) for text in TEXTS.values()]
    assert moved == back == before


async def _texts(connection: asyncpg.Connection, text: str) -> list[tuple[bytes | None, bytes | None]]:
    documents, versions = [
        await connection.fetch(f"SELECT {text} AS text FROM {table} ORDER BY host_id")
        for table in ("document", "document_version")
    ]
    return [(one["text"], other["text"]) for one, other in zip(documents, versions, strict=True)]
