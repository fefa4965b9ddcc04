"""`/urls`: the life of a URL, what happened each time and what happens next."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.documents.versions import Comparison, Versions
from outrider.errors import InvalidUrl, NotFound
from outrider.services.hosts.words import state_of
from outrider.services.pages.stored import IncomingLinks, list_incoming_links
from outrider.services.pages.versions import compare_versions, list_versions
from outrider.services.paging import PageRequest
from outrider.services.urls.bulk import fetch_soon
from outrider.services.urls.changes import remove_url, retry_url
from outrider.services.urls.details import UrlDetails, show_url
from outrider.services.urls.explain import explain_url
from outrider.services.urls.explanation import ExplainedUrl
from outrider.services.urls.keys import read_key
from outrider.urls import host_of, key_of, normalize
from outrider.urls.typed import address_of
from outrider.web.api.v1.parameters import UrlId
from outrider.web.dashboard import url_words
from outrider.web.dashboard.fields import UrlText
from outrider.web.dashboard.pages import PageRouter, done, error_page
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.way_back import came_from
from outrider.web.dependencies import Context, CursorPaging, Db

router = PageRouter()

MOST_VERSIONS = 10


class UrlTab(StrEnum):
    """The parts of the page of a URL."""

    LIFE = "life"
    LINKS = "links"


@dataclass(frozen=True, slots=True)
class UrlLifePage:
    """Everything about one URL. `details` and `versions` are None for what is not known or not kept."""

    answer: ExplainedUrl
    host: str
    host_state: str
    next: str
    details: UrlDetails | None
    versions: Versions | None
    tab: UrlTab
    links: IncomingLinks | None
    words = url_words

    @property
    def can_retry(self) -> bool:
        return self.answer.known is not None and self.answer.known.state == "dead"

    @property
    def can_fetch_soon(self) -> bool:
        known = self.answer.known
        return known is not None and known.kind != "robots" and known.state in ("fetched", "pending")

    @property
    def can_delete(self) -> bool:
        return self.answer.known is not None and self.answer.known.kind == "page"


@dataclass(frozen=True, slots=True)
class DiffPage:
    """What changed from one version of a page to another."""

    comparison: Comparison
    back: str
    here: str
    parameters: Mapping[str, str]


@router.get("/urls")
async def show_life(
    request: Request,
    db: Db,
    context: Context,
    paging: CursorPaging,
    url: UrlText = "",
    tab: UrlTab = UrlTab.LIFE,
) -> Response:
    if not url.strip():
        return render(request, "urls/ask.html", None, title="A URL")
    try:
        page = await _life(db, context, url, tab, paging)
    except InvalidUrl as error:
        return error_page(request, 400, f"{error}. Type an address such as https://example.com/page.")
    return render(request, "urls/url.html", page, title=page.answer.url[:100])


@router.get("/urls/diff")
async def show_diff(
    request: Request,
    db: Db,
    url: UrlText,
    older: Annotated[int | None, Query(alias="from", ge=1, le=1_000_000_000)] = None,
    newer: Annotated[int | None, Query(alias="to", ge=1, le=1_000_000_000)] = None,
) -> Response:
    address = normalize(address_of(url))
    comparison = await compare_versions(db, address, older, newer)
    page = DiffPage(comparison, "/urls", "/urls/diff", {"url": address})
    return render(request, "urls/diff.html", page, title="What changed")


@router.post("/urls/{id}/retry", "url.retry")
async def retry_by_form(request: Request, db: Db, context: Context, id: UrlId) -> Response:
    entry = (await retry_url(db, read_key(id), context.settings.frontier)).entry
    return done(request, came_from(request, "/frontier"), f"{entry.url} is queued again.")


@router.post("/urls/{id}/soon", "url.soon")
async def fetch_soon_by_form(request: Request, db: Db, context: Context, id: UrlId) -> Response:
    url = await fetch_soon(db, read_key(id), context.settings.frontier)
    sentence = f"{url} is fetched as soon as its host allows."
    return done(request, came_from(request, "/frontier"), sentence)


@router.post("/urls/{id}/delete", "url.remove")
async def delete_by_form(request: Request, db: Db, context: Context, id: UrlId) -> Response:
    key = read_key(id)
    url = (await show_url(db, key)).entry.url
    await remove_url(db, key, context.settings.frontier)
    return done(request, came_from(request, "/frontier"), f"{url} and its page are removed.")


async def _life(db: Db, context: Context, url: str, tab: UrlTab, paging: PageRequest) -> UrlLifePage:
    settings, now = context.settings, datetime.now(UTC)
    answer = await explain_url(db, url, depth_cap=settings.crawl.depth_cap, traps=settings.traps, now=now)
    key = key_of(answer.url)
    details = await show_url(db, key) if answer.known is not None else None
    links = None
    if details is not None and tab is UrlTab.LINKS:
        links = await list_incoming_links(db, key, paging)
    return UrlLifePage(
        answer,
        host_of(answer.url),
        "not known here" if answer.host is None else state_of(answer.host, now),
        url_words.next_words(answer),
        details,
        await _versions(db, answer),
        tab,
        links,
    )


async def _versions(db: Db, answer: ExplainedUrl) -> Versions | None:
    if answer.document is None:
        return None
    try:
        return await list_versions(db, answer.url, PageRequest(MOST_VERSIONS))
    except NotFound:
        return None
