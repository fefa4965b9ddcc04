"""Sources, their modes and their channels: the types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import EntryKind
from outrider.sources.policy import DEFAULT_POLICY, Policy

ADHOC = 1  # the owner of URLs that belong to no source


class Mode(StrEnum):
    """How a source's pages are found (SRC-02)."""

    FEED = "feed"  # what its feeds and sitemaps announce
    SPIDER = "spider"  # what links lead to
    BOTH = "both"

    @property
    def follows_links(self) -> bool:
        return self is not Mode.FEED

    @property
    def polls(self) -> bool:
        return self is not Mode.SPIDER


class RenderMode(StrEnum):
    """How a page is rendered before it is read (FET-22).

    Outrider runs no scripts. A source with mode `dynamic` is read as the server sends it, and gets a note.
    """

    STATIC = "static"  # as the server sends it
    DYNAMIC = "dynamic"  # after its scripts ran


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source to add."""

    name: str
    url: str
    mode: Mode = Mode.FEED
    priority: int = 5
    policy: Policy = DEFAULT_POLICY
    selectors: Mapping[str, Any] | None = None
    template: str | None = None
    labels: Sequence[str] = ()
    render_mode: RenderMode = RenderMode.STATIC
    identity_key: str | None = None
    allow_source_discovery: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """A source as it is stored."""

    source_id: int
    public_id: UUID
    name: str
    url: str
    mode: Mode
    priority: int
    policy: Policy
    selectors: Mapping[str, Any] | None
    template: str | None
    labels: Sequence[str]
    render_mode: RenderMode
    identity_key: str | None  # the key of the source in another system
    allow_source_discovery: bool  # record links that lead out of the source
    enabled: bool
    held: bool
    disabled_at: datetime | None
    disable_reason: str | None
    searched_at: datetime | None
    search_errors: int  # searches in a row that the site did not answer
    search_notes: Sequence[str]  # the attempts of the last search and their results
    created_at: datetime
    updated_at: datetime


BY_OPERATOR = "operator: "  # prefix of the reason if an operator disabled a channel


@dataclass(frozen=True, slots=True)
class ChannelLine:
    """A feed or sitemap of a source, as a row of a list."""

    channel_id: int
    kind: EntryKind
    url: str
    title: str | None
    found_by: str
    is_candidate: bool
    polls: int
    items: int
    new_items: int
    errors: int
    error_type: str | None
    last_error: str | None
    interval_s: int
    polled_at: datetime | None
    changed_at: datetime | None
    disabled_at: datetime | None
    disable_reason: str | None
    has_more: bool  # announces more than one poll takes; later polls take the rest
    is_cut: bool  # is longer than the limit; the rest is not read
    pushed_until: datetime | None  # the end of the hub's subscription
    next_poll_at: datetime | None

    @property
    def is_blocked_by_robots(self) -> bool:
        return self.disabled_at is not None and self.disable_reason == DeadReason.ROBOTS_BLOCKED


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A source as a row of a list. Counts include the URLs that the source shares."""

    source: Source
    feeds: int  # feeds and sitemaps count if they are proven and not disabled
    sitemaps: int
    failing: int  # channels whose last poll failed
    failures: str | None  # the errors of those channels
    doubts: str | None  # the errors of candidates
    changed_at: datetime | None  # when a channel last had new entries
    next_poll_at: datetime | None
    pending: int  # queued URLs
    pages: int  # visits that fetched a page
    documents: int = 0  # including those that were first fetched for another source
    start_leads_to: str | None = None  # the target of a start page redirect that is not followed

    @property
    def is_silent(self) -> bool:
        """FED-24: the source is in mode feed, was searched, and has no feed or sitemap."""
        source = self.source
        return source.mode is Mode.FEED and source.searched_at is not None and not self.feeds + self.sitemaps


class SourceSort(StrEnum):
    """What a list of sources can be sorted by."""

    NAME = "name"
    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    PRIORITY = "priority"


@dataclass(frozen=True, slots=True)
class SourceFilter:
    """Which sources to list. None and an empty search match every source."""

    search: str = ""
    enabled: bool | None = None
    mode: Mode | None = None
    feed_active: bool | None = None  # has a feed that is proven and not disabled
    silent: bool = False  # only silent sources (FED-24)
    failing: bool = False  # only sources with a channel whose last poll failed
    label: str | None = None
    sort: SourceSort = SourceSort.NAME
    descending: bool = False
    limit: int = 50
    offset: int = 0

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves sources out."""
        return self != SourceFilter(
            sort=self.sort, descending=self.descending, limit=self.limit, offset=self.offset
        )
