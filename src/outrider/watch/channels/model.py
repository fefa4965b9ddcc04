"""Channels, what they announce, and how they are polled: the types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from outrider.crawl.admission.skip_reason import SkipReason
from outrider.frontier.model import EntryKind
from outrider.urls import UrlKey

CHANNEL_PRIORITY = {
    EntryKind.FEED: 10,
    EntryKind.SITEMAP: 9,
}  # above every page: channels announce the pages


class DiscoveryMethod(StrEnum):
    """How an article can be discovered, fastest method first."""

    WEBSUB = "websub"
    FEED = "feed"
    NEWS_SITEMAP = "news_sitemap"
    SITEMAP = "sitemap"
    SPIDER = "spider"

    @property
    def label(self) -> str:
        """The name as people read it."""
        return self.value.replace("_", " ")


class FoundBy(StrEnum):
    """How a channel was found."""

    MANUAL = "manual"
    ALTERNATE = "alternate"  # <link rel=alternate>
    LINK = "link"  # a link on the start page
    PATH = "path"  # a common path, such as /feed
    ROBOTS = "robots"  # a Sitemap line
    INDEX = "index"  # listed by another sitemap


@dataclass(frozen=True, slots=True)
class Channel:
    """A feed or sitemap before a poll, with the settings of its source."""

    channel_id: int
    source_id: int
    url: str
    kind: EntryKind
    is_candidate: bool
    errors: int
    interval_s: float
    is_disabled: bool
    memory: Mapping[str, Any]
    source_url: str | None = None
    source_priority: int = 5
    is_wanted: bool = True  # the source is enabled and in a mode that polls
    poll_s: float | None = None  # the interval that the source sets
    sitemap_poll_s: float | None = None
    backfill: bool = False
    pushed_for_s: float | None = None  # until the hub's subscription ends (negative: it ended); None: no hub


@dataclass(frozen=True, slots=True)
class NewChannel:
    """A channel to add, to be polled at once. `depth` is how many sitemap indexes lie above it."""

    url: str
    kind: EntryKind
    found_by: FoundBy = FoundBy.MANUAL
    is_candidate: bool = False
    parent_id: int | None = None
    depth: int = 0
    interval_s: float | None = None  # the first interval; None: the default
    changed_at: datetime | None = None  # lastmod in the sitemap index


@dataclass(frozen=True, slots=True)
class Sighting:
    """An article and the method that discovered it."""

    key: UrlKey
    way: DiscoveryMethod
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AnnouncedPage:
    """A page that a channel announces: normalised, ready to be queued."""

    key: UrlKey
    url: str
    way: DiscoveryMethod
    published_at: datetime | None = None
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PollSchedule:
    """The new poll interval of a channel, and the wait until its next poll."""

    interval_s: float
    next_in_s: float


@dataclass(frozen=True, slots=True)
class ChannelReading:
    """The content of a channel's body, and the new state of the channel."""

    items: int
    interval_s: float
    next_in_s: float
    is_changed: bool
    memory: Mapping[str, Any]
    is_complete: bool = True  # False: the channel announces more pages than one poll may take
    announced: Sequence[AnnouncedPage] = ()
    again: Sequence[UrlKey] = ()  # known pages that changed since the last fetch
    children: Sequence[NewChannel] = ()
    skipped: Mapping[SkipReason, int] | None = None
    title: str | None = None
    hub: str | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class SuccessfulPoll:
    """A successful poll. Without a reading the answer was a 304, or the same bytes as last time."""

    channel: Channel
    reading: ChannelReading | None
    interval_s: float
    etag: str | None
    last_modified: str | None


@dataclass(frozen=True, slots=True)
class SightingBatch:
    """Sightings of one poll or page for a source. `channel_id` is None for links found on a page."""

    channel_id: int | None
    source_id: int
    sightings: Sequence[Sighting]
