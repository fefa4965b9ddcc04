"""The JSON of sources and their feeds."""

from datetime import datetime
from typing import Any, NotRequired
from uuid import UUID

from typing_extensions import TypedDict

from outrider.sources.model import Mode, RenderMode
from outrider.watch.bulk import RowResult
from outrider.web.api.v1.shapes.jobs import JobShape


class SourceFieldsShape(TypedDict):
    """A source as it was set up."""

    id: UUID
    source_id: int
    public_id: UUID
    name: str
    url: str
    mode: Mode
    priority: int
    policy: dict[str, Any]
    selectors: dict[str, Any] | None
    template: str | None
    labels: list[str]
    render_mode: RenderMode
    identity_key: str | None
    allow_source_discovery: bool
    enabled: bool
    held: bool
    disabled_at: datetime | None
    disable_reason: str | None
    searched_at: datetime | None
    search_errors: int
    search_notes: list[str]
    created_at: datetime
    updated_at: datetime


class SourceShape(SourceFieldsShape):
    """A source; `notes` are for the operator who changed it, `changed` names the fields of the change."""

    notes: list[str]
    changed: list[str]


class ListedSourceShape(SourceFieldsShape):
    """A source with its figures."""

    feeds: int
    sitemaps: int
    failing: int
    failures: str | None
    doubts: str | None
    changed_at: datetime | None
    next_poll_at: datetime | None
    pending: int
    pages: int
    documents: int
    start_leads_to: str | None
    silent: bool


class ChannelShape(TypedDict):
    """A feed or sitemap."""

    channel_id: int
    kind: str
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
    has_more: bool
    is_cut: bool
    pushed_until: datetime | None
    next_poll_at: datetime | None


class ListedFeedShape(ChannelShape):
    """A feed or sitemap with its source."""

    source_id: int
    source_public_id: UUID
    source_name: str


class SourceChannelsShape(TypedDict):
    """The feeds and sitemaps of a source."""

    channels: list[ChannelShape]


class SourceDetailsShape(ListedSourceShape):
    """A source with its feeds, the methods that found its articles, and its job."""

    channels: list[ChannelShape]
    ladder: list[dict[str, Any]]
    job: JobShape | None


class TriedChannelShape(TypedDict):
    """A feed or sitemap that a search found."""

    url: str
    found_by: str
    items: int
    title: str | None
    doubt: str | None


class FoundShape(TypedDict):
    """What a search of a site found."""

    reached: bool
    name: str | None
    feeds: list[TriedChannelShape]
    sitemaps: list[TriedChannelShape]
    notes: list[str]


class FoundFeedsShape(TypedDict):
    """What a search found, and how many of its feeds and sitemaps are new."""

    name: str
    added: int
    found: FoundShape


class PageTrialShape(TypedDict):
    """What is extracted from a page."""

    ok: bool
    url: str
    status: int | None
    reason: NotRequired[str | None]
    page_type: NotRequired[str]
    method: NotRequired[str]
    words: NotRequired[int]
    template: NotRequired[str | None]
    unindexed: NotRequired[str | None]
    fields: NotRequired[dict[str, dict[str, str]]]
    listed: NotRequired[list[str]]
    proposal: NotRequired[dict[str, Any]]


class ImportRowShape(TypedDict):
    """What became of one row."""

    place: str
    name: str
    end: RowResult
    changed: list[str]
    problems: list[str]
    notes: list[str]


class ImportShape(TypedDict):
    """What became of each row of a file."""

    added: int
    changed: int
    unchanged: int
    refused: int
    dry_run: bool
    notes: list[str]
    rows: list[ImportRowShape]
