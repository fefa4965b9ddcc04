"""`/feeds`: which feeds and sitemaps are due, which fail, and which are disabled? (UI-10)"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Form, Path
from starlette.requests import Request
from starlette.responses import Response

from outrider.frontier.model import EntryKind
from outrider.services.paging import CursorPage
from outrider.services.sources.edit import ChannelEdits, edit_channels
from outrider.services.sources.feeds import ListedFeed, count_feeds, list_feeds, poll_source
from outrider.sources.channel_list import ChannelCounts, ChannelFilter
from outrider.web.api.v1.ids import SourceId
from outrider.web.dashboard.forms import Chosen, ShortText
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.way_back import back_path
from outrider.web.dependencies import Context, CursorPaging, Db
from outrider.wording import plural

router = PageRouter()

ChannelId = Annotated[int, Path(ge=1, le=2**31 - 1)]
Back = Annotated[str, Form(max_length=2_000)]


class FeedView(StrEnum):
    """The tabs of the page."""

    ALL = "all"
    DUE = "due"
    FAILING = "failing"
    DISABLED = "disabled"
    CANDIDATES = "candidates"


_FILTERS = {
    FeedView.ALL: {},
    FeedView.DUE: {"due": True, "disabled": False},
    FeedView.FAILING: {"failing": True},
    FeedView.DISABLED: {"disabled": True},
    FeedView.CANDIDATES: {"candidate": True},
}


@dataclass(frozen=True, slots=True)
class FeedsPage:
    """The feeds and sitemaps of all sources."""

    feeds: CursorPage[ListedFeed]
    counts: ChannelCounts
    view: FeedView
    kind: str
    search: str
    source: str

    @property
    def tabs(self) -> list[tuple[FeedView, str, int]]:
        counts = self.counts
        return [
            (FeedView.ALL, "all", counts.channels),
            (FeedView.DUE, "due", counts.due),
            (FeedView.FAILING, "failing", counts.failing),
            (FeedView.DISABLED, "disabled", counts.disabled),
            (FeedView.CANDIDATES, "not proven yet", counts.candidates),
        ]

    @property
    def is_filtered(self) -> bool:
        return bool(self.kind or self.search or self.source or self.view is not FeedView.ALL)


@router.get("/feeds")
async def show_feeds(
    request: Request,
    db: Db,
    paging: CursorPaging,
    view: FeedView = FeedView.ALL,
    kind: Chosen = "",
    search: Chosen = "",
    source: Chosen = "",
) -> Response:
    kinds = {"feed": (EntryKind.FEED,), "sitemap": (EntryKind.SITEMAP,)}.get(
        kind, (EntryKind.FEED, EntryKind.SITEMAP)
    )
    wanted = ChannelFilter(kinds, search or None, **_FILTERS[view])
    feeds = await list_feeds(db, wanted, paging, source)
    page = FeedsPage(feeds, await count_feeds(db), view, kind, search, source)
    return render(request, "feeds/feeds.html", page, title="Feeds")


@router.post("/sources/{source_id}/poll", "source.poll")
async def poll_by_form(
    request: Request, db: Db, context: Context, source_id: SourceId, back: Back = ""
) -> Response:
    polled = await poll_source(db, source_id, context.settings.frontier)
    told = f"{plural(polled.channels, 'feed')} of {polled.name} will be polled as soon as the host permits."
    return done(request, _back(request, back, source_id), told)


@router.post("/sources/{source_id}/feeds/{channel_id}/disable", "source.feed_disable")
async def disable_feed_by_form(
    request: Request,
    db: Db,
    context: Context,
    source_id: SourceId,
    channel_id: ChannelId,
    reason: ShortText = "",
    back: Back = "",
) -> Response:
    edits = ChannelEdits(disabled=[str(channel_id)], reason=reason.strip()[:500] or "by an operator")
    await edit_channels(db, source_id, edits, context.settings.frontier)
    return done(request, _back(request, back, source_id), "The feed is disabled.")


@router.post("/sources/{source_id}/feeds/{channel_id}/enable", "source.feed_enable")
async def enable_feed_by_form(
    request: Request, db: Db, context: Context, source_id: SourceId, channel_id: ChannelId, back: Back = ""
) -> Response:
    await edit_channels(db, source_id, ChannelEdits(enabled=[str(channel_id)]), context.settings.frontier)
    return done(request, _back(request, back, source_id), "The feed is polled again.")


@router.post("/sources/{source_id}/feeds/{channel_id}/drop", "source.feed_drop")
async def drop_feed_by_form(
    request: Request, db: Db, context: Context, source_id: SourceId, channel_id: ChannelId, back: Back = ""
) -> Response:
    await edit_channels(db, source_id, ChannelEdits(dropped=[str(channel_id)]), context.settings.frontier)
    return done(request, _back(request, back, source_id), "The feed is forgotten.")


def _back(request: Request, given: str, source_id: str) -> str:
    default = "/feeds" if given.removeprefix(request.scope.get("root_path", "")).startswith("/feeds") else ""
    return back_path(request, given, default or f"/sources/{source_id}")
