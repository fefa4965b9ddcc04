"""The words of watching."""

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
}  # before any page: they say which pages there are


class DiscoveryMethod(StrEnum):
    """How an article may come to our notice, fastest first."""

    WEBSUB = "websub"
    FEED = "feed"
    NEWS_SITEMAP = "news_sitemap"
    SITEMAP = "sitemap"
    SPIDER = "spider"

    @property
    def label(self) -> str:
        """For people."""
        return self.value.replace("_", " ")


class FoundBy(StrEnum):
    """How we know of a channel."""

    MANUAL = "manual"
    ALTERNATE = "alternate"  # <link rel=alternate>
    LINK = "link"  # a link on the start page
    PATH = "path"  # a usual path
    ROBOTS = "robots"  # a Sitemap line
    INDEX = "index"  # listed by another sitemap


@dataclass(frozen=True, slots=True)
class Channel:
    """A feed or sitemap as it stood before a poll, with what its source asks for."""

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
    poll_s: float | None = None  # as the source asks
    sitemap_poll_s: float | None = None
    backfill: bool = False
    pushed_for_s: float | None = None  # its hub pushes for so long, or has not for so long


@dataclass(frozen=True, slots=True)
class NewChannel:
    """A channel to add, to be polled at once. `depth` is how many sitemap indexes lie above it."""

    url: str
    kind: EntryKind
    found_by: FoundBy = FoundBy.MANUAL
    is_candidate: bool = False
    parent_id: int | None = None
    depth: int = 0
    interval_s: float | None = None  # to begin with; None: what is usual
    changed_at: datetime | None = None  # as its index says


@dataclass(frozen=True, slots=True)
class Sighting:
    """An article seen by one of the ways."""

    key: UrlKey
    way: DiscoveryMethod
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Announced:
    """A page a channel names: normalised, ready to be queued."""

    key: UrlKey
    url: str
    way: DiscoveryMethod
    published_at: datetime | None = None
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PollSchedule:
    """How often a channel is polled from now on, and when next."""

    interval_s: float
    next_in_s: float


@dataclass(frozen=True, slots=True)
class ChannelReading:
    """What the body of a channel said, and what polling it taught."""

    items: int
    interval_s: float
    next_in_s: float
    is_changed: bool
    memory: Mapping[str, Any]
    is_complete: bool = True  # False: there was more than one poll may take
    announced: Sequence[Announced] = ()
    again: Sequence[UrlKey] = ()  # pages known already that changed since we had them
    children: Sequence[NewChannel] = ()
    skipped: Mapping[SkipReason, int] | None = None
    title: str | None = None
    hub: str | None = None
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """A poll that was answered; without a reading it was a 304, or the very bytes of the last time."""

    channel: Channel
    reading: ChannelReading | None
    interval_s: float
    etag: str | None
    last_modified: str | None


@dataclass(frozen=True, slots=True)
class SightingBatch:
    """What was seen at once for a source; `channel_id` None when no channel showed it."""

    channel_id: int | None
    source_id: int
    sightings: Sequence[Sighting]
