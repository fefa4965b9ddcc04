"""Feeds of all sources; poll them or search for them now (API-74, API-75)."""

from enum import StrEnum
from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.frontier.model import EntryKind
from outrider.services.paging import CursorPage
from outrider.services.sources.feeds import (
    FoundFeeds,
    ListedFeed,
    PollRequest,
    keep_found_feeds,
    list_feeds,
    poll_source,
    search_site,
    searchable_source,
)
from outrider.sources.channel_list import ChannelFilter
from outrider.web.api.v1.ids import SourceId
from outrider.web.api.v1.shapes.sources import FoundFeedsShape, ListedFeedShape
from outrider.web.dependencies import Context, CursorPaging, Db
from outrider.web.router import ApiRouter
from outrider.web.site_requests import site_requests

router = ApiRouter("feeds")


class ChannelKind(StrEnum):
    """What announces pages."""

    FEED = "feed"
    SITEMAP = "sitemap"


@router.get(
    "/api/v1/feeds",
    Role.USER,
    summary="List feeds and sitemaps",
    result=CursorPage[ListedFeedShape],
    errors=(400, 401, 404, 422),
)
async def get_feeds(
    db: Db,
    paging: CursorPaging,
    source: Annotated[str, Query(max_length=500, description="Name, number, id or address.")] = "",
    kind: Annotated[ChannelKind | None, Query(description="Only feeds or only sitemaps.")] = None,
    search: Annotated[str | None, Query(max_length=500, description="Text in the address.")] = None,
    disabled: Annotated[bool | None, Query(description="Only disabled or only enabled ones.")] = None,
    failing: Annotated[bool | None, Query(description="Whether the last poll failed.")] = None,
    candidate: Annotated[bool | None, Query(description="Whether no poll has proven it yet.")] = None,
) -> CursorPage[ListedFeed]:
    """Each feed with its next poll, its errors, and why it is disabled."""
    kinds = tuple(EntryKind[each.name] for each in (ChannelKind if kind is None else (kind,)))
    wanted = ChannelFilter(kinds, search or None, disabled, failing, candidate)
    return await list_feeds(db, wanted, paging, source)


@router.post(
    "/api/v1/sources/{id}/poll",
    Role.ADMIN,
    summary="Poll the feeds of a source now",
    result=PollRequest,
    status=202,
    action="source.poll",
    errors=(401, 403, 404, 409, 422),
)
async def post_source_poll(db: Db, context: Context, id: SourceId) -> PollRequest:
    """Workers poll the feeds and sitemaps of the source as soon as its host permits."""
    return await poll_source(db, id, context.settings.frontier)


@router.post(
    "/api/v1/sources/{id}/discover-feed",
    Role.ADMIN,
    summary="Search the site of a source for feeds now",
    result=FoundFeedsShape,
    action="source.discover_feed",
    in_transaction=False,
    errors=(400, 401, 403, 404, 409, 422, 503),
)
async def post_source_discover_feed(db: Db, context: Context, id: SourceId) -> FoundFeeds:
    """Search the site for feeds and sitemaps, within 30 seconds, and watch what is found."""
    source = await searchable_source(db, id)
    async with site_requests(context, [source.url]) as fetch_one:
        found = await search_site(fetch_one, source)
    return await keep_found_feeds(db, source, found, context.settings.frontier)
