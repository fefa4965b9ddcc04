"""`/api/v1/pages`: the stored pages, their texts, versions and links (API-22, API-23)."""

from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.documents.diff import CONTEXT, MAX_CONTEXT
from outrider.documents.links import IncomingLink
from outrider.documents.listing import PageFilter
from outrider.documents.versions import Comparison, Versions, VersionText
from outrider.services.pages.stored import (
    IncomingLinks,
    PageDetails,
    StoredPages,
    compare_page_versions,
    list_incoming_links,
    list_page_versions,
    list_stored_pages,
    read_page_text,
    show_page,
)
from outrider.services.paging import CursorPage
from outrider.services.urls.keys import read_key
from outrider.urls import host_id_of
from outrider.web.api.v1.parameters import HostQuery, Moment, SearchQuery, SourceQuery, UrlId
from outrider.web.dependencies import CursorPaging, Db, Paging
from outrider.web.router import ApiRouter

router = ApiRouter("pages")

Number = Annotated[int | None, Query(ge=1, le=1_000_000_000)]
Word = Annotated[str | None, Query(min_length=1, max_length=100)]


@router.get(
    "/api/v1/pages",
    Role.USER,
    summary="List the stored pages",
    result=StoredPages,
    errors=(400, 404),
)
async def get_pages(
    db: Db,
    paging: CursorPaging,
    domain: HostQuery = None,
    source_id: SourceQuery = None,
    status: Annotated[int | None, Query(ge=100, le=599, description="The HTTP status of the answer.")] = None,
    content_type: Word = None,
    language: Word = None,
    page_type: Word = None,
    since: Annotated[Moment | None, Query(description="Fetched at this time or later.")] = None,
    until: Annotated[Moment | None, Query(description="Fetched before this time.")] = None,
    title: SearchQuery = None,
) -> StoredPages:
    """Pages that match all filters, those that were stored last first.

    `title` are words of the title, or their beginnings; `content_type` may be a beginning, such as `text/`.
    A list examines 5,000 pages at most. `examined` is set when others remain: this part may have few items or
    none and still have a `next` part.
    """
    host_id = None if domain is None else host_id_of(domain)
    wanted = PageFilter(host_id, None, status, content_type, language, page_type, since, until, title)
    return await list_stored_pages(db, wanted, source_id, paging)


@router.get("/api/v1/pages/{id}", Role.USER, summary="Show one page", result=PageDetails, errors=(404,))
async def get_page(db: Db, id: UrlId) -> PageDetails:
    """One stored page with its metadata and up to 1,000 outgoing links."""
    return await show_page(db, read_key(id))


@router.get(
    "/api/v1/pages/{id}/text",
    Role.USER,
    summary="Read the text of a page",
    result=VersionText,
    errors=(404,),
)
async def get_page_text(db: Db, id: UrlId, version: Number = None) -> VersionText:
    """The text of the newest version, or of the one with this number."""
    return await read_page_text(db, read_key(id), version)


@router.get(
    "/api/v1/pages/{id}/versions",
    Role.USER,
    summary="List the versions of a page",
    result=Versions,
    errors=(400, 404),
)
async def get_page_versions(db: Db, id: UrlId, paging: Paging) -> Versions:
    """The texts that a page has had, the newest first, without the texts themselves."""
    return await list_page_versions(db, read_key(id), paging)


@router.get(
    "/api/v1/pages/{id}/diff",
    Role.USER,
    summary="Compare two versions of a page",
    result=Comparison,
    errors=(400, 404),
)
async def get_page_diff(
    db: Db,
    id: UrlId,
    older: Annotated[int | None, Query(alias="from", ge=1, le=1_000_000_000)] = None,
    newer: Annotated[int | None, Query(alias="to", ge=1, le=1_000_000_000)] = None,
    context: Annotated[int, Query(ge=0, le=MAX_CONTEXT, description="Unchanged lines around.")] = CONTEXT,
) -> Comparison:
    """What changed between two versions, by default with the last change."""
    return await compare_page_versions(db, read_key(id), older, newer, context)


@router.get(
    "/api/v1/pages/{id}/incoming-links",
    Role.USER,
    summary="List the pages that link to a page",
    result=CursorPage[IncomingLink],
    errors=(400, 404),
)
async def get_incoming_links(db: Db, id: UrlId, paging: CursorPaging) -> IncomingLinks:
    """Pages of the same host that link here.

    Links have no index: a part of the list covers 500 pages, so it may be short or empty while `next` leads
    on. `first_found_on` is the page where a worker found it first.
    """
    return await list_incoming_links(db, read_key(id), paging)
