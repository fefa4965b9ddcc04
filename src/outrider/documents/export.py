"""Exports stored pages, URLs and links as rows, read in batches of bounded size."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import count
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.packing import unpack, unpack_links
from outrider.errors import InvalidUrl
from outrider.urls import UrlKey, host_id_of, normalize

FIRST_HOST, LAST_HOST = -(2**63), 2**63 - 1

Row = tuple[Any, ...]


class ColumnKind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    INTEGER = "integer"
    FLAG = "flag"
    TIME = "time"
    JSON = "json"  # an object; JSON text in formats without objects


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: ColumnKind = ColumnKind.TEXT


@dataclass(frozen=True, slots=True)
class Table:
    """An exportable table: its columns, its query, and how a record becomes rows."""

    name: str
    columns: tuple[Column, ...]
    query: Callable[[Queries], str]
    batch: int  # records read at once
    rows_of: Callable[[Any], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters of an export. A field that is None does not filter."""

    host: str | None = None
    source: str | None = None
    since: datetime | None = None
    limit: int | None = None
    only_indexed: bool = False  # without pages that are not indexed or ask for noindex


async def export(db: asyncpg.Connection, table: Table, selection: Selection) -> AsyncIterator[list[Row]]:
    """The rows in batches. A row that changes during the export appears once, in its old or new form."""
    text = table.query(Queries.load("outrider.documents"))
    first, last = FIRST_HOST, LAST_HOST
    if selection.host is not None:
        first = last = host_id_of(selection.host)
    after, left = UrlKey(first, "0" * 32), selection.limit
    while left is None or left > 0:
        records = await db.fetch(
            text,
            first,
            last,
            selection.source,
            selection.since,
            after.host_id,
            after.hash,
            table.batch,
            selection.only_indexed,
        )
        rows = [row for record in records for row in table.rows_of(record)][:left]
        if rows:
            yield rows
        if len(records) < table.batch:
            return
        left = None if left is None else left - len(rows)
        after = UrlKey(records[-1]["host_id"], records[-1]["key_hash"].hex)


def _page(record: Any) -> Iterator[Row]:
    values = [record[column.name] for column in PAGES.columns[:-1]]
    yield *values, _clean(unpack(record["text"]))


def _url(record: Any) -> Iterator[Row]:
    yield tuple(record[column.name] for column in URLS.columns)


def _links(record: Any) -> Iterator[Row]:
    """Links as normalised URLs; links that are no valid URL are left out."""
    places = count(1)
    for href, nofollow in unpack_links(record["links"]):
        try:
            yield record["url"], normalize(href, record["base"]), nofollow, next(places)
        except InvalidUrl:
            next(places)


def _clean(text: str) -> str:
    """Replace lone surrogates of broken pages, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()


def _columns(*names: str, **kinds: ColumnKind) -> tuple[Column, ...]:
    return tuple(Column(name, kinds.get(name, ColumnKind.TEXT)) for name in names)


PAGES = Table(
    "pages",
    _columns(
        "url",
        "source",
        "canonical_url",
        "title",
        "description",
        "language",
        "author",
        "published_at",
        "fetched_at",
        "changed_at",
        "status",
        "content_type",
        "words",
        "bytes",
        "content_hash",
        "duplicate_of",
        "near_duplicate",
        "versions",
        "page_type",
        "noindex",
        "indexed",
        "unindexed",
        "metadata",
        "text",
        published_at=ColumnKind.TIME,
        fetched_at=ColumnKind.TIME,
        changed_at=ColumnKind.TIME,
        status=ColumnKind.INTEGER,
        words=ColumnKind.INTEGER,
        bytes=ColumnKind.INTEGER,
        near_duplicate=ColumnKind.FLAG,
        versions=ColumnKind.INTEGER,
        noindex=ColumnKind.FLAG,
        indexed=ColumnKind.FLAG,
        metadata=ColumnKind.JSON,
    ),
    query=lambda sql: sql.export_pages,
    batch=100,
    rows_of=_page,
)
URLS = Table(
    "urls",
    _columns(
        "url_hash",
        "url",
        "host",
        "source",
        "origin",
        "kind",
        "parent_url",
        "depth",
        "priority",
        "status",
        "held",
        "next_fetch_at",
        "last_fetched_at",
        "fetch_count",
        "http_status",
        "content_hash",
        "etag",
        "last_modified",
        "retry_count",
        "last_error",
        "redirects_to",
        "discovered_at",
        "updated_at",
        depth=ColumnKind.INTEGER,
        priority=ColumnKind.INTEGER,
        held=ColumnKind.FLAG,
        next_fetch_at=ColumnKind.TIME,
        last_fetched_at=ColumnKind.TIME,
        fetch_count=ColumnKind.INTEGER,
        http_status=ColumnKind.INTEGER,
        retry_count=ColumnKind.INTEGER,
        discovered_at=ColumnKind.TIME,
        updated_at=ColumnKind.TIME,
    ),
    query=lambda sql: sql.export_urls,
    batch=1_000,
    rows_of=_url,
)
LINKS = Table(
    "links",
    _columns(
        "source_url",
        "target_url",
        "nofollow",
        "position",
        nofollow=ColumnKind.FLAG,
        position=ColumnKind.INTEGER,
    ),
    query=lambda sql: sql.export_links,
    batch=50,
    rows_of=_links,
)
TABLES = {table.name: table for table in (PAGES, URLS, LINKS)}
