"""`/pages`: the stored pages, and one of them with its text, links and versions (UI-04)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from fastapi import Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from outrider.documents.listing import PageFilter
from outrider.documents.versions import Versions
from outrider.errors import InvalidInput, NotFound
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
from outrider.services.paging import PageRequest
from outrider.services.urls.keys import read_key
from outrider.urls import UrlKey, host_id_of
from outrider.web.api.v1.parameters import Moment, UrlId
from outrider.web.dashboard import url_words
from outrider.web.dashboard.fields import Blank, HostText, SearchText, SourceText
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.urls import DiffPage
from outrider.web.dependencies import CursorPaging, Db

router = PageRouter()

MOST_TEXT = 200_000  # characters shown
MOST_VERSIONS = 50
NO_PAGES = StoredPages((), 0, 50, 0)

Word = Annotated[Annotated[str, Field(max_length=100)] | None, Blank, Query()]
Number = Annotated[int | None, Query(ge=1, le=1_000_000_000)]


class PageTab(StrEnum):
    """The parts of the page of a stored page."""

    TEXT = "text"
    METADATA = "metadata"
    LINKS = "links"
    INCOMING = "incoming"
    VERSIONS = "versions"


TAB_NAMES = {
    PageTab.TEXT: "Text",
    PageTab.METADATA: "Metadata",
    PageTab.LINKS: "Links on it",
    PageTab.INCOMING: "Links to it",
    PageTab.VERSIONS: "Versions",
}


@dataclass(frozen=True, slots=True)
class ChosenPages:
    """The filters of the list, as they were given."""

    host: str | None = None
    source: str | None = None
    status: int | None = None
    content_type: str | None = None
    language: str | None = None
    page_type: str | None = None
    since: datetime | None = None
    title: str | None = None

    @property
    def is_empty(self) -> bool:
        return all(getattr(self, each.name) is None for each in fields(self))


@dataclass(frozen=True, slots=True)
class PagesPage:
    """A part of the list."""

    pages: StoredPages
    chosen: ChosenPages
    problem: str


@dataclass(frozen=True, slots=True)
class StoredPagePage:
    """One stored page; only the part of the chosen tab is filled."""

    details: PageDetails
    id: str
    tab: PageTab
    text: str = ""
    number: int | None = None  # of the version whose text is shown
    is_cut: bool = False
    versions: Versions | None = None
    links: IncomingLinks | None = None
    metadata: Sequence[tuple[str, str]] = ()
    tabs = TAB_NAMES
    words = url_words


@router.get("/pages")
async def show_pages(
    request: Request,
    db: Db,
    paging: CursorPaging,
    host: HostText = None,
    source: SourceText = None,
    status: Annotated[Annotated[int, Field(ge=100, le=599)] | None, Blank, Query()] = None,
    content_type: Word = None,
    language: Word = None,
    page_type: Word = None,
    since: Annotated[Moment | None, Blank, Query()] = None,
    title: SearchText = None,
) -> Response:
    chosen = ChosenPages(host, source, status, content_type, language, page_type, since, title)
    host_id = None if host is None else host_id_of(host)
    wanted = PageFilter(host_id, None, status, content_type, language, page_type, since, None, title)
    problem, pages = "", NO_PAGES
    try:
        pages = await list_stored_pages(db, wanted, source, paging)
    except (InvalidInput, NotFound) as error:
        problem = str(error)
    return render(request, "pages/pages.html", PagesPage(pages, chosen, problem), title="Pages")


@router.get("/pages/{id}")
async def show_stored_page(
    request: Request,
    db: Db,
    id: UrlId,
    paging: CursorPaging,
    tab: PageTab = PageTab.TEXT,
    version: Number = None,
) -> Response:
    key = read_key(id)
    page = await _read(db, key, await show_page(db, key), tab, version, paging)
    return render(request, "pages/page.html", page, title=(page.details.title or page.details.url)[:100])


@router.get("/pages/{id}/diff")
async def show_page_diff(
    request: Request,
    db: Db,
    id: UrlId,
    older: Annotated[int | None, Query(alias="from", ge=1, le=1_000_000_000)] = None,
    newer: Annotated[int | None, Query(alias="to", ge=1, le=1_000_000_000)] = None,
) -> Response:
    comparison = await compare_page_versions(db, read_key(id), older, newer)
    page = DiffPage(comparison, f"/pages/{id}", f"/pages/{id}/diff", {})
    return render(request, "urls/diff.html", page, title="What changed")


async def _read(
    db: Db, key: UrlKey, details: PageDetails, tab: PageTab, version: int | None, paging: PageRequest
) -> StoredPagePage:
    id = f"{key.host_id}:{key.hash}"
    match tab:
        case PageTab.TEXT:
            found = await read_page_text(db, key, version)
            is_cut = len(found.text) > MOST_TEXT
            return StoredPagePage(details, id, tab, found.text[:MOST_TEXT], found.number, is_cut)
        case PageTab.VERSIONS:
            versions = await list_page_versions(db, key, PageRequest(MOST_VERSIONS))
            return StoredPagePage(details, id, tab, versions=versions)
        case PageTab.INCOMING:
            return StoredPagePage(details, id, tab, links=await list_incoming_links(db, key, paging))
        case _:
            told = [(str(name), str(value)) for name, value in (details.metadata or {}).items()]
            return StoredPagePage(details, id, tab, metadata=told[:100])
