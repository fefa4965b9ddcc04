"""The versions of a document, the text of each, and the difference between two."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.diff import CONTEXT, Difference, difference
from outrider.documents.packing import unpack
from outrider.documents.suggest import most_similar
from outrider.errors import InvalidInput, NotFound
from outrider.extract.article.quality import count_words
from outrider.urls import UrlKey, key_of

DEFAULT_LIMIT = 20
MAX_LIMIT = 1_000
MAX_REDIRECTS = 20
MAX_COMPARED_ADDRESSES = 2_000

_SQL = Queries.load("outrider.documents")


@dataclass(frozen=True, slots=True)
class Version:
    """One text that a document had. `last_seen_at` is when a fetch last found it."""

    number: int
    last_seen_at: datetime
    title: str | None
    words: int
    bytes: int  # of the text in UTF-8
    content_hash: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Versions:
    """The newest versions of the document at `url`, the end of the redirects of `asked`."""

    asked: str
    url: str
    total: int
    versions: Sequence[Version]  # newest first


@dataclass(frozen=True, slots=True)
class VersionText:
    """One version with its text."""

    url: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one version of a document to another."""

    url: str
    older: Version
    newer: Version
    difference: Difference


async def list_versions(db: asyncpg.Connection, url: str, limit: int = DEFAULT_LIMIT) -> Versions:
    """The versions of the document that a normalised URL leads to; raises NotFound."""
    key, final = await _document(db, url)
    rows = await _rows(db, key, final, limit)
    # One text at a time: together they may not fit into memory.
    versions = [_version(row, await _text(db, key, number) or "") for number, row in rows.items()]
    return Versions(url, final, versions[0].number, versions)


async def read_version(db: asyncpg.Connection, url: str, number: int) -> VersionText:
    """The text of one version; raises NotFound."""
    key, final = await _document(db, url)
    rows = await _rows(db, key, final, MAX_LIMIT)
    return VersionText(final, number, await _stored_text(db, key, final, number, rows))


async def compare_versions(
    db: asyncpg.Connection,
    url: str,
    older: int | None = None,
    newer: int | None = None,
    context: int = CONTEXT,
) -> Comparison:
    """The difference between two versions, by default the last two; raises NotFound."""
    key, final = await _document(db, url)
    rows = await _rows(db, key, final, MAX_LIMIT)
    if len(rows) == 1 and older is None and newer is None:
        [only] = rows.values()
        raise NotFound(
            f"{final} has one version: its text had not changed by {only['last_seen_at']:%Y-%m-%d %H:%M} UTC"
        )
    to = max(rows) if newer is None else newer
    of = to - 1 if older is None else older
    if of == to:
        raise InvalidInput(f"version {of} cannot differ from itself: name two versions")
    old = await _stored_text(db, key, final, of, rows)
    new = await _stored_text(db, key, final, to, rows)
    return Comparison(final, _version(rows[of], old), _version(rows[to], new), difference(old, new, context))


async def _document(db: asyncpg.Connection, url: str) -> tuple[UrlKey, str]:
    """The key and the URL at the end of a URL's redirects."""
    key = key_of(url)
    row = await db.fetchrow(_SQL.final_address, key.host_id, key.hash, MAX_REDIRECTS)
    if row is None:
        known = await db.fetch(_SQL.some_addresses_of_host, key.host_id, MAX_COMPARED_ADDRESSES)
        near = most_similar(url, [each["url"] for each in known])
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise NotFound(f"{url} is not known here{hint}")
    return UrlKey(row["host_id"], row["url_hash"].hex), row["url"]


async def _text(db: asyncpg.Connection, key: UrlKey, number: int) -> str | None:
    packed = await db.fetchval(_SQL.text_of_version, key.host_id, key.hash, number)
    # Lone surrogates of broken pages cannot be encoded.
    return None if packed is None else unpack(packed).encode("utf-8", "replace").decode()


async def _rows(db: asyncpg.Connection, key: UrlKey, url: str, limit: int) -> dict[int, Any]:
    """The versions by number, the newest first."""
    rows = await db.fetch(_SQL.list_versions, key.host_id, key.hash, min(limit, MAX_LIMIT))
    if not rows:
        raise NotFound(f"{url} is known, and no page of it was kept: `outrider why {url}` says why")
    return {row["version"]: row for row in rows}


async def _stored_text(
    db: asyncpg.Connection, key: UrlKey, url: str, number: int, rows: Mapping[int, Any]
) -> str:
    if number not in rows:
        there = f"version {max(rows)}" if len(rows) == 1 else f"versions {min(rows)} to {max(rows)}"
        raise NotFound(f"{url} has no version {number}, only {there}")
    text = await _text(db, key, number)
    if text is None:
        raise NotFound(f"the text of version {number} of {url} is not stored any more")
    return text


def _version(row: Any, text: str) -> Version:
    return Version(
        number=row["version"],
        last_seen_at=row["last_seen_at"],
        title=row["title"],
        words=count_words(text),
        bytes=len(text.encode("utf-8", "surrogatepass")),
        content_hash=row["content_hash"].hex(),
        is_current=row["is_current"],
    )
