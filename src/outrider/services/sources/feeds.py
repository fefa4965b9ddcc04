"""Use cases of feeds: list those of all sources, switch those of one, poll them now, search for new ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import asyncpg

from outrider.errors import Conflict, Unavailable
from outrider.frontier.model import EntryKind
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.as_json import as_json
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.fetch.polite import FetchOne
from outrider.services.paging import CursorPage, PageRequest, TotalIs
from outrider.services.sources.add import found_form
from outrider.services.sources.lists import SourceChannels
from outrider.sources.channel_list import (
    ChannelCounts,
    ChannelFilter,
    ListedChannel,
    count_by_state,
    count_channels,
    list_channels,
)
from outrider.sources.model import ChannelLine, Source
from outrider.sources.searches import record_search
from outrider.sources.store import SourceStore
from outrider.urls import key_of
from outrider.watch.channels.found import DiscoveryResult
from outrider.watch.channels.store import ChannelStore
from outrider.watch.channels.switch import ChannelSwitch

CURSOR = "feeds"
MOST_COUNTED = 10_000
LARGEST_NUMBER = 2**31 - 1


@dataclass(frozen=True, slots=True)
class ListedFeed:
    """A feed or sitemap with its source."""

    listed: ListedChannel

    def json_form(self) -> dict[str, Any]:
        channel, listed = self.listed.channel, self.listed
        source = {
            "source_id": listed.source_id,
            "source_public_id": listed.source_public_id,
            "source_name": listed.source_name,
        }
        return {**as_json(channel), "kind": channel.kind.name.lower(), **source}


@dataclass(frozen=True, slots=True)
class PollRequest:
    """Which feeds and sitemaps of a source are polled now."""

    source_id: UUID
    name: str
    channels: int  # that are polled as soon as their host permits
    made_due: int  # of them, those that would have waited


@dataclass(frozen=True, slots=True)
class FoundFeeds:
    """What a search of a site found, and how many of its feeds and sitemaps are new."""

    name: str
    added: int
    found: DiscoveryResult

    def json_form(self) -> dict[str, Any]:
        return {"name": self.name, "added": self.added, "found": found_form(self.found)}


async def list_feeds(
    db: asyncpg.Connection, wanted: ChannelFilter, page: PageRequest, source: str = ""
) -> CursorPage[ListedFeed]:
    """Feeds and sitemaps of all sources, or of one; raises NotFound for an unknown source."""
    page = page.checked()
    after = 0 if page.cursor is None else read_cursor(page.cursor, CURSOR, [int])[0]
    async with db.transaction():
        source_id = (await SourceStore().find(db, source)).source_id if source else None
        first = min(max(after, 0), LARGEST_NUMBER)
        found = await list_channels(db, wanted, source_id, first, page.limit + 1, page.offset)
        total = await count_channels(db, wanted, source_id, MOST_COUNTED + 1)
    items = found[: page.limit]
    following = write_cursor(CURSOR, [items[-1].channel.channel_id]) if len(found) > page.limit else None
    total_is = TotalIs.EXACT if total <= MOST_COUNTED else TotalIs.AT_LEAST
    shown = [ListedFeed(each) for each in items]
    return CursorPage(shown, min(total, MOST_COUNTED), page.limit, page.offset, total_is, next=following)


async def count_feeds(db: asyncpg.Connection) -> ChannelCounts:
    """How many feeds and sitemaps are due, failing, disabled or not proven yet, counted up to a bound."""
    return await count_by_state(db, MOST_COUNTED)


async def switch_feeds(
    db: asyncpg.Connection, named: str, options: FrontierOptions, *, reason: str | None = None
) -> SourceChannels:
    """Poll the feeds of a source again, or no more if there is a reason; its sitemaps stay as they are.

    Raises Conflict if the source has no feed, or if all its feeds are so already.
    """
    store, switch = SourceStore(), ChannelSwitch(FrontierStore(options))
    async with db.transaction():
        source = await store.find(db, named)
        feeds = _feeds(await store.channels(db, source.source_id))
        _refuse_no_change(source, feeds, is_off=reason is not None)
        for feed in feeds:
            if reason is None and feed.disabled_at is not None:
                await switch.on(db, feed)
            elif reason is not None and feed.disabled_at is None:
                await switch.off(db, feed, reason)
        return SourceChannels(await store.channels(db, source.source_id))


async def poll_source(db: asyncpg.Connection, named: str, options: FrontierOptions) -> PollRequest:
    """Let workers poll the feeds and sitemaps of a source as soon as its host permits.

    A feed that waits after a failure keeps its wait. Raises Conflict if the source is disabled, or if it has
    nothing to poll.
    """
    store, frontier = SourceStore(), FrontierStore(options)
    async with db.transaction():
        source = await store.find(db, named)
        _refuse_disabled(source)
        channels = [each for each in await store.channels(db, source.source_id) if each.disabled_at is None]
        if not channels:
            raise Conflict(
                f"{source.name!r} has no feed or sitemap that is polled: discover-feed searches for one"
            )
        keys = [key_of(each.url) for each in channels]
        made_due = await frontier.make_due(db, keys, source.source_id)
    return PollRequest(source.public_id, source.name, len(channels), made_due)


async def searchable_source(db: asyncpg.Connection, named: str) -> Source:
    """The source whose site is to be searched; raises NotFound, and Conflict if it is disabled."""
    source = await SourceStore().find(db, named)
    _refuse_disabled(source)
    return source


async def search_site(fetch_one: FetchOne, source: Source) -> DiscoveryResult:
    """Search the site of a source for feeds and sitemaps; raises Unavailable if it does not answer."""
    # Importing the feed parsers is slow, and most requests do not need them.
    from outrider.watch.discovery.discover import find_channels

    found = await find_channels(fetch_one, source.url)
    if not found.is_reached and not found.channels:
        why = found.notes[-1] if found.notes else "it returned no page"
        raise Unavailable(f"the site of {source.name!r} could not be searched: {why}")
    return found


async def keep_found_feeds(
    db: asyncpg.Connection, source: Source, found: DiscoveryResult, options: FrontierOptions
) -> FoundFeeds:
    """Store the feeds and sitemaps that a search found."""
    async with db.transaction():
        await record_search(db, source.source_id, found.kept_notes, has_answered=True)
        added = 0
        if found.channels:
            frontier = FrontierStore(options)
            added = await ChannelStore().add(db, frontier, source.source_id, found.channels)
    return FoundFeeds(source.name, added, found)


def _feeds(channels: Sequence[ChannelLine]) -> list[ChannelLine]:
    return [each for each in channels if each.kind is EntryKind.FEED]


def _refuse_no_change(source: Source, feeds: Sequence[ChannelLine], *, is_off: bool) -> None:
    if not feeds:
        raise Conflict(f"{source.name!r} has no feed")
    if all((feed.disabled_at is not None) == is_off for feed in feeds):
        state = "disabled" if is_off else "enabled"
        raise Conflict(f"the feeds of {source.name!r} are {state} already")


def _refuse_disabled(source: Source) -> None:
    if not source.enabled:
        raise Conflict(f"{source.name!r} is disabled: enable it first")
