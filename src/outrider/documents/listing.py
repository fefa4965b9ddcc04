"""Lists of stored pages for people: filtered, the newest first, a page at a time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import InvalidInput
from outrider.urls import UrlKey

MOST_EXAMINED = 5_000  # pages that one list reads
MOST_WORDS = 20  # of a search

_SQL = Queries.load("outrider.documents")
_WORD = re.compile(r"\w+")


class PagePosition(NamedTuple):
    """The place of a page in the list: the pages behind it were stored before it."""

    first_seen_at: datetime
    host_id: int
    url_hash: UUID


@dataclass(frozen=True, slots=True)
class PageFilter:
    """Which stored pages to list. A field that is None does not filter."""

    host_id: int | None = None
    source_id: int | None = None
    http_status: int | None = None
    content_type: str | None = None  # or how it begins
    language: str | None = None
    page_type: str | None = None
    fetched_since: datetime | None = None
    fetched_until: datetime | None = None
    title: str | None = None  # words, or how they begin

    @property
    def is_empty(self) -> bool:
        return all(getattr(self, each.name) is None for each in fields(self))


@dataclass(frozen=True, slots=True)
class PageSummary:
    """A stored page in a list."""

    id: UrlKey
    url: str
    host: str | None
    source: str | None
    title: str | None
    description: str | None
    http_status: int
    content_type: str | None
    language: str | None
    page_type: str | None
    words: int
    bytes: int
    links_count: int | None
    versions: int
    published_at: datetime | None
    first_seen_at: datetime
    fetched_at: datetime
    changed_at: datetime
    indexed: bool
    duplicate_of: str | None
    near_duplicate: bool


@dataclass(frozen=True, slots=True)
class PageListing:
    """A part of the list. Past the bound the total is an estimate (without filters) or a minimum.

    `examined` is how many pages were examined if others remain: matches among those are behind `last`.
    """

    pages: Sequence[PageSummary]
    total: int
    is_exact: bool
    last: PagePosition | None = None  # where the next part begins, if there are more pages
    examined: int | None = None


async def list_pages(
    db: asyncpg.Connection, wanted: PageFilter, limit: int, offset: int, after: PagePosition | None
) -> PageListing:
    """A part of the list, the newest page first. The caller opens the transaction.

    Raises InvalidInput if the part begins behind the pages that one list examines.
    """
    query = None if wanted.title is None else title_query(wanted.title)
    filters = (
        wanted.host_id,
        wanted.source_id,
        wanted.http_status,
        wanted.content_type,
        wanted.language,
        wanted.page_type,
        wanted.fetched_since,
        wanted.fetched_until,
        query,
    )
    place = after or (None, None, None)
    await db.execute(_SQL.plan_for_these_filters)
    if query is not None and wanted.host_id is None:
        look = min(4 * (limit + 1 + offset), MOST_EXAMINED)  # a frequent word is among so few
        keys = await db.fetch(_SQL.walk_newest_pages, *filters, limit + 1, offset, *place, look)
        if len(keys) > limit:
            return await _part(db, keys, limit, limit + offset, is_exact=False)
    if await _finds_few(db, wanted, query):
        found = await db.fetch(_SQL.list_newest_pages, *filters, limit + 1, offset, *place)
        keys = [row for row in found if row["host_id"] is not None]
        return await _part(db, keys, limit, found[0]["total"], is_exact=True)
    keys = await db.fetch(_SQL.walk_newest_pages, *filters, limit + 1, offset, *place, MOST_EXAMINED)
    if wanted.is_empty:
        total = max(len(keys), await db.fetchval(_SQL.estimate_pages))
        return await _part(db, keys, limit, total, is_exact=False)
    if len(keys) > limit:
        return await _part(db, keys, limit, limit + offset, is_exact=False)
    end = await db.fetchrow(_SQL.end_of_walk, MOST_EXAMINED, *place)
    if end is None:
        return await _part(db, keys, limit, len(keys) + offset, is_exact=False)
    if offset:
        raise InvalidInput(
            f"this offset is behind the {MOST_EXAMINED:,} pages that one list examines: page with the cursor"
        )
    part = await _part(db, keys, limit, len(keys), is_exact=False)
    return replace(part, last=PagePosition(*end), examined=MOST_EXAMINED)


async def _part(
    db: asyncpg.Connection, keys: Sequence[Any], limit: int, total: int, *, is_exact: bool
) -> PageListing:
    """The pages of these keys; one more than the limit means that others follow."""
    shown = keys[:limit]
    rows = await db.fetch(
        _SQL.pages_with_keys, [row["host_id"] for row in shown], [row["url_hash"] for row in shown]
    )
    last = None
    if len(keys) > limit and rows:
        last = PagePosition(rows[-1]["first_seen_at"], rows[-1]["host_id"], rows[-1]["url_hash"])
    return PageListing([_summary(row) for row in rows], total, is_exact, last)


async def _finds_few(db: asyncpg.Connection, wanted: PageFilter, query: str | None) -> bool:
    """Whether an index finds so few pages that all of them can be read and sorted."""
    most = MOST_EXAMINED + 1
    if wanted.host_id is not None:
        return bool(await db.fetchval(_SQL.count_pages_of_host, wanted.host_id, most) < most)
    if query is None:
        return bool(await db.fetchval(_SQL.count_all_pages, most) < most)
    await db.execute(_SQL.read_index_of_titles)
    return bool(await db.fetchval(_SQL.count_titles, query, most) < most)


async def count_new_documents(db: asyncpg.Connection, since: datetime, most: int) -> int:
    """How many indexed pages were stored for the first time since a time, counted up to `most`."""
    count: int = await db.fetchval(_SQL.count_new_documents, since, most)
    return count


def title_query(text: str) -> str:
    """The search for titles that have words which begin with each of the given words."""
    words = _WORD.findall(text)[:MOST_WORDS]
    if not words:
        raise InvalidInput("a search in titles needs at least one word")
    return " & ".join(f"'{word}':*" for word in words)


def _summary(row: Any) -> PageSummary:
    values = {each.name: row[each.name] for each in fields(PageSummary) if each.name != "id"}
    return PageSummary(id=UrlKey(row["host_id"], row["url_hash"].hex), **values)
