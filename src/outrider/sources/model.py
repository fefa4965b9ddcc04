"""The words of sources."""

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
    def walks(self) -> bool:
        return self is not Mode.FEED

    @property
    def polls(self) -> bool:
        return self is not Mode.SPIDER


class RenderMode(StrEnum):
    """How a page becomes what is read (FET-22).

    Nothing here runs scripts: a source that asks for it is read as it is sent, and whoever looks is told.
    """

    STATIC = "static"  # as the server sends it
    DYNAMIC = "dynamic"  # as its scripts leave it


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source nobody watches yet."""

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
    identity_key: str | None  # what another system calls it
    allow_source_discovery: bool  # links that lead out of it are recorded
    enabled: bool
    held: bool
    disabled_at: datetime | None
    disable_reason: str | None
    searched_at: datetime | None
    search_errors: int  # searches in a row in which it did not answer
    search_notes: Sequence[str]  # what the last search tried, and what came of it
    created_at: datetime
    updated_at: datetime


BY_OPERATOR = "operator: "  # begins the reason why a person disabled a channel


@dataclass(frozen=True, slots=True)
class ChannelLine:
    """A feed or sitemap of a source, for people to look at."""

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
    has_more: bool  # announces more than one poll takes: the next ones go on
    is_cut: bool  # is longer than we read
    pushed_until: datetime | None  # by its hub
    next_poll_at: datetime | None

    @property
    def is_blocked_by_robots(self) -> bool:
        return self.disabled_at is not None and self.disable_reason == DeadReason.ROBOTS_BLOCKED


@dataclass(frozen=True, slots=True)
class Listed:
    """A source as a line of a list."""

    source: Source
    feeds: int  # proven and not disabled, as are the sitemaps
    sitemaps: int
    failing: int  # channels whose last poll failed
    failures: str | None  # and how
    doubts: str | None  # how those fail that have never worked
    changed_at: datetime | None  # when one of them last had something new
    next_poll_at: datetime | None
    pending: int  # URLs that are queued for it, as are all counts: its own and those it shares
    pages: int  # visits that brought a page
    documents: int = 0  # whichever source they were fetched for first
    start_leads_to: str | None = None  # where its start page redirects, if it is not followed there

    @property
    def is_silent(self) -> bool:
        """FED-24: it lives on announcements, we looked, and nothing announces anything."""
        source = self.source
        return source.mode is Mode.FEED and source.searched_at is not None and not self.feeds + self.sitemaps


@dataclass(frozen=True, slots=True)
class Filter:
    """Which sources to list; None and an empty search let everything through."""

    search: str = ""
    enabled: bool | None = None
    mode: Mode | None = None
    feed_active: bool | None = None  # has a feed that is proven and not disabled
    silent: bool = False  # only those that FED-24 is about
    failing: bool = False  # only those with a channel whose last poll failed
    limit: int = 50
    offset: int = 0

    @property
    def is_narrow(self) -> bool:
        """Does it leave out anything but the rest of a long list?"""
        return self != Filter(limit=self.limit, offset=self.offset)
