"""Use cases of stored pages: list them, show one with its links, its text and its versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from outrider.documents.diff import CONTEXT
from outrider.documents.links import IncomingLink, OutgoingLink, incoming, outgoing
from outrider.documents.listing import PageFilter, PagePosition, PageSummary, list_pages
from outrider.documents.store import DocumentStore
from outrider.documents.versions import Comparison, Versions, VersionText
from outrider.errors import InvalidInput, NotFound
from outrider.frontier.model import State
from outrider.frontier.normalisation import FIRST
from outrider.frontier.paths import Referrer, referrers_of
from outrider.frontier.stats import StatsStore
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.pages.versions import compare_versions, list_versions, read_version
from outrider.services.paging import CursorPage, PageRequest, TotalIs
from outrider.services.sources.sources import source_id_named
from outrider.sources.owners import owner_names
from outrider.urls import UrlKey, host_of

_PAGES, _INCOMING = "pages", "incoming links"  # in cursors
_EPOCH = datetime.fromtimestamp(0, UTC)
MOST_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class PageDetails(PageSummary):
    """A stored page with its metadata and its links."""

    author: str | None
    canonical_url: str | None
    charset: str | None
    etag: str | None
    last_modified: str | None
    content_hash: str
    noindex: bool
    unindexed: str | None  # why it is not indexed
    metadata: Mapping[str, Any] | None
    status: str  # of its entry in the frontier
    next_fetch_at: datetime | None
    found_on: Sequence[Referrer]  # the page that led to it, then the page that led to that page
    links: Sequence[OutgoingLink]


@dataclass(frozen=True, slots=True)
class StoredPages(CursorPage[PageSummary]):
    """Stored pages. `examined` is set when only that many pages were examined for this part: more matches may
    follow at `next`, even if this part is empty.
    """

    examined: int | None = None


@dataclass(frozen=True, slots=True)
class IncomingLinks(CursorPage[IncomingLink]):
    """Pages that link to a page. `first_found_on` is the page on which a worker found it first."""

    first_found_on: str | None = None


async def list_stored_pages(
    db: asyncpg.Connection, wanted: PageFilter, source: str | None, page: PageRequest
) -> StoredPages:
    """The stored pages, the newest first; raises NotFound and InvalidInput."""
    page, after = page.checked(MOST_PAGES), None
    if page.cursor is not None:
        at, host_id, url_hash = read_cursor(page.cursor, _PAGES, (int, int, UUID))
        after = PagePosition(_time(at), host_id, url_hash)
    async with db.transaction():
        wanted = replace(wanted, source_id=await source_id_named(db, source))
        found = await list_pages(db, wanted, page.limit, page.offset, after)
    following = None
    if found.last is not None:
        since_epoch = (found.last.first_seen_at - _EPOCH) // timedelta(microseconds=1)
        following = write_cursor(_PAGES, (since_epoch, found.last.host_id, found.last.url_hash))
    estimated = TotalIs.ESTIMATE if wanted.is_empty else TotalIs.AT_LEAST
    total_is = TotalIs.EXACT if found.is_exact else estimated
    return StoredPages(found.pages, found.total, page.limit, page.offset, total_is, following, found.examined)


async def show_page(db: asyncpg.Connection, key: UrlKey) -> PageDetails:
    """One stored page; raises NotFound."""
    async with db.transaction():
        url = await _url_of(db, key)
        document, entry = await DocumentStore().find(db, key), await StatsStore().find(db, key)
        if document is None or entry is None:
            raise NotFound(_why_no_page(url, entry))
        names = await owner_names(db, {document["source_id"]})
        found_on = await referrers_of(db, key)
    return _details(key, document, entry, names.get(document["source_id"]), found_on)


async def list_page_versions(db: asyncpg.Connection, key: UrlKey, page: PageRequest) -> Versions:
    """The versions of a page, the newest first; raises NotFound."""
    return await list_versions(db, await _url_of(db, key), page)


async def read_page_text(db: asyncpg.Connection, key: UrlKey, number: int | None) -> VersionText:
    """The text of a page, of its newest version by default; raises NotFound."""
    url = await _url_of(db, key)
    if number is None:
        number = (await list_versions(db, url, PageRequest(limit=1))).total
    return await read_version(db, url, number)


async def compare_page_versions(
    db: asyncpg.Connection, key: UrlKey, older: int | None, newer: int | None, context: int = CONTEXT
) -> Comparison:
    """What changed from one version of a page to another; raises NotFound."""
    return await compare_versions(db, await _url_of(db, key), older, newer, context)


async def list_incoming_links(db: asyncpg.Connection, key: UrlKey, page: PageRequest) -> IncomingLinks:
    """Pages of the same host that link to a URL; raises NotFound for an unknown URL.

    Links have no index: each call reads the links of 500 pages, so a part may be empty and have a next one.
    """
    page, after = page.checked(MOST_PAGES, most_offset=0), FIRST.hash
    if page.cursor is not None:
        [place] = read_cursor(page.cursor, _INCOMING, (UUID,))
        after = place.hex
    async with db.transaction():
        url = await _url_of(db, key)
        found, following = await incoming(db, url, after, page.limit)
        way = await referrers_of(db, key)
    return IncomingLinks(
        found,
        len(found),
        page.limit,
        0,
        TotalIs.EXACT if page.cursor is None and following is None else TotalIs.AT_LEAST,
        None if following is None else write_cursor(_INCOMING, (UUID(following),)),
        way[0].url if way else None,
    )


async def _url_of(db: asyncpg.Connection, key: UrlKey) -> str:
    entry = await StatsStore().find(db, key)
    if entry is None:
        raise NotFound("there is no such page")
    return str(entry["url"])


def _why_no_page(url: str, entry: Any) -> str:
    if entry["redirects_to"] is not None:
        return f"{url} is no page of its own: it redirects to {entry['redirects_to']}"
    return f"{url} is known, and no page of it is stored: /api/v1/urls/why says why"


def _details(
    key: UrlKey, document: Any, entry: Any, source: str | None, found_on: Sequence[Referrer]
) -> PageDetails:
    same = {each.name for each in fields(PageDetails)} & set(document.keys())
    values = {name: document[name] for name in same if name not in ("links", "content_hash")}
    url = entry["url"]
    return PageDetails(
        **values,
        id=key,
        url=url,
        host=host_of(url),
        source=source,
        indexed=document["unindexed"] is None and not document["noindex"],
        content_hash=document["content_hash"].hex(),
        metadata=document["meta"],
        status=State(entry["state"]).name.lower(),
        next_fetch_at=entry["next_fetch_at"],
        found_on=found_on,
        links=outgoing(document["links"], document["base"]),
    )


def _time(microseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        raise InvalidInput("the cursor names no time: start again without it") from None
