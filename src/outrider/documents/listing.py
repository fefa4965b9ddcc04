"""Lists of stored pages for people: filtered, the newest first, a page at a time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import InvalidInput
from outrider.urls import UrlKey

MOST_COUNTED = 10_000
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
    """A part of the list. Past the bound the total is an estimate (without filters) or a minimum."""

    pages: Sequence[PageSummary]
    total: int
    is_exact: bool
    last: PagePosition | None = None  # the place of the last page if there are more


async def list_pages(
    db: asyncpg.Connection, wanted: PageFilter, limit: int, offset: int, after: PagePosition | None
) -> PageListing:
    """A part of the list, the newest page first. The caller opens the transaction."""
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
    await db.execute(_SQL.plan_for_these_filters)
    is_rare = query is not None and await _is_rare(db, query)
    total: int = await db.fetchval(_SQL.count_pages, *filters, MOST_COUNTED + 1)
    is_exact = total <= MOST_COUNTED
    if not is_exact:
        estimate = await db.fetchval(_SQL.estimate_pages) if wanted.is_empty else 0
        total = max(MOST_COUNTED, estimate)
    place = after or (None, None, None)
    rows = await db.fetch(_SQL.list_newest_pages, *filters, limit + 1, offset, *place, is_rare)
    last = rows[limit - 1] if len(rows) > limit else None
    position = (
        None if last is None else PagePosition(last["first_seen_at"], last["host_id"], last["url_hash"])
    )
    return PageListing([_summary(row) for row in rows[:limit]], total, is_exact, position)


async def _is_rare(db: asyncpg.Connection, query: str) -> bool:
    """Whether few titles match, so that all of them can be read and sorted."""
    await db.execute(_SQL.read_index_of_titles)
    matching: int = await db.fetchval(_SQL.count_titles, query, MOST_COUNTED + 1)
    return matching <= MOST_COUNTED


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
