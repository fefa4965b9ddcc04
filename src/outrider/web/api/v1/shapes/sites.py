"""The JSON of owned sites, their broken URLs and their links."""

from datetime import datetime

from typing_extensions import TypedDict

from outrider.links.monitor.model import LinkKind, LinkType, StoredLinkStatus
from outrider.redirects.broken_store import BrokenStatus, SiteFigures
from outrider.sites.model import DeleteFallback


class SiteSettingsShape(TypedDict):
    """What the owner of a site decides."""

    lowercase_paths: bool
    strip_trailing_slash: bool
    exempt_prefixes: list[str]
    delete_fallback: DeleteFallback
    confidence_threshold: float
    confidence_margin: float
    prune_days: int
    path_patterns: list[str]
    bot_words: list[str]
    more_status_codes: bool
    crawl_links: bool


class SiteShape(TypedDict):
    """A site that its owner registered."""

    id: int
    site_id: int
    name: str
    base_url: str
    hosts: list[str]
    settings: SiteSettingsShape
    has_key: bool
    update_webhook: str | None
    has_webhook_secret: bool
    created_at: datetime
    updated_at: datetime


class SiteWithKeyShape(TypedDict):
    """A site and its new key, which is shown once."""

    site: SiteShape
    key: str


class SiteWithSecretShape(TypedDict):
    """A site and the new secret of its webhook, which is shown once."""

    site: SiteShape
    secret: str


class LinkCountsShape(TypedDict):
    """The links of a site by status, without ignored ones."""

    ok: int
    dead: int
    moved: int
    unchecked: int
    uncertain: int
    ignored: int


class SiteSummaryShape(TypedDict):
    """A site in numbers."""

    site: SiteShape
    live_paths: int
    version: int
    figures: SiteFigures
    links: LinkCountsShape
    dead_links: int
    moved_links: int
    pending_broken_urls: int


class SuggestionShape(TypedDict):
    """A live path that is like a missed one, with a confidence from 0 to 1."""

    path: str
    confidence: float


class BrokenUrlShape(TypedDict):
    """A path that had visitors and answers 404 now."""

    id: int
    broken_id: int
    path: str
    prior_analytics_hits: int
    recent_404_count: int
    first_seen_at: datetime
    last_seen_at: datetime
    status: BrokenStatus
    resolved_redirect_id: int | None
    suggestions: list[SuggestionShape]
    referrers: list[str]


class StoredLinkShape(TypedDict):
    """A link in a content field; `why` is its reason as a sentence."""

    id: int
    link_id: int
    site_id: int
    source_key: str
    url: str
    link_type: LinkType
    status: StoredLinkStatus
    http_status: int | None
    reason: str | None
    moved_to: str | None
    pending_since: datetime | None
    last_checked_at: datetime | None
    is_ignored: bool
    edit_url: str | None
    kind: LinkKind
    created_at: datetime
    updated_at: datetime
    why: str | None


class SavedFieldShape(TypedDict):
    """The links of a content field after it was saved."""

    source_key: str
    links: list[StoredLinkShape]
    queued: int


class ReplacementShape(TypedDict):
    """An address that may replace a link."""

    url: str
    confidence: float
    by: str
    reason: str


class LinkCheckShape(TypedDict):
    """One check of an address, with its evidence."""

    checked_at: datetime
    verdict: str
    reason: str
    http_status: int | None
    moved_to: str | None
    pending_since: datetime | None
    evidence: list[dict[str, object]]


class LinkDetailsShape(TypedDict):
    """A link with its checks and the addresses that may replace it."""

    link: StoredLinkShape
    checks: list[LinkCheckShape]
    replacements: list[ReplacementShape]
