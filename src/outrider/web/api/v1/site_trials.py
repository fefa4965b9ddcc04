"""Look at a site before it is watched: its metadata, and what is extracted from a page (API-73)."""

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.sources.add import SiteSearch, search_new_site
from outrider.services.sources.metadata import SiteMetadata, read_site_metadata
from outrider.services.sources.trial import PageTrial, try_page
from outrider.sources import values
from outrider.web.api.v1.shapes.sources import PageTrialShape
from outrider.web.dependencies import Context, RequestBody
from outrider.web.router import ApiRouter
from outrider.web.site_requests import site_requests

router = ApiRouter("sources")

Url = Annotated[str, Field(min_length=1, max_length=8_000)]


class SiteBody(RequestBody):
    """A site to look at."""

    url: Annotated[Url, Field(description="The site; `example.com` is enough.")]


class SearchBody(SiteBody):
    """A site to search."""

    propose: Annotated[bool, Field(description="Also propose selectors, from one article.")] = False


class TrialBody(RequestBody):
    """A page to read, and how."""

    url: Annotated[Url, Field(description="A page, such as an article.")]
    selectors: Annotated[dict[str, Any], Field(description="CSS selectors by field.")] = {}  # noqa: RUF012
    template: Annotated[str | None, Field(max_length=200, description="The kind of site it is.")] = None
    propose: Annotated[bool, Field(description="Also propose selectors.")] = False


def _address(written: str) -> str:
    try:
        return values.address(written)
    except ValueError as error:
        raise InvalidInput(str(error)) from None


@router.post(
    "/api/v1/sources/fetch-metadata",
    Role.ADMIN,
    summary="Propose the fields of a source",
    result=SiteMetadata,
    action="source.fetch_metadata",
    needs_database=False,
    errors=(400, 401, 403, 409, 422, 503),
)
async def post_fetch_metadata(context: Context, body: SiteBody) -> SiteMetadata:
    """Fetch a site politely, within 30 seconds, and propose name, feeds and selectors. Stores nothing."""
    url = _address(body.url)
    async with site_requests(context, [url]) as fetch_one:
        return await read_site_metadata(fetch_one, body.url, url, datetime.now(UTC))


@router.post(
    "/api/v1/sources/search",
    Role.ADMIN,
    summary="Search a site for feeds and sitemaps",
    result=SiteSearch,
    action="source.search",
    needs_database=False,
    errors=(400, 401, 403, 409, 422, 503),
)
async def post_site_search(context: Context, body: SearchBody) -> SiteSearch:
    """Search a site politely, within 30 seconds, and say how each feed was found. Stores nothing."""
    url = _address(body.url)
    async with site_requests(context, [url]) as fetch_one:
        return await search_new_site(fetch_one, body.url, url, datetime.now(UTC), proposes=body.propose)


@router.post(
    "/api/v1/sources/test-crawl",
    Role.ADMIN,
    summary="Show what is extracted from a page",
    result=PageTrialShape,
    action="source.test_crawl",
    needs_database=False,
    errors=(400, 401, 403, 409, 422, 503),
)
async def post_test_crawl(context: Context, body: TrialBody) -> PageTrial:
    """Fetch one page politely, within 30 seconds, and apply the selectors. Stores nothing (EXT-19)."""
    url = _address(body.url)
    async with site_requests(context, [url]) as fetch_one:
        now = datetime.now(UTC)
        return await try_page(fetch_one, url, body.selectors, body.template, now, proposes=body.propose)
