"""The types of the frontier: submissions, claimed entries, and their results.

Types with an instance for every page are named tuples: creating one is three times as fast as creating a
frozen dataclass.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import NamedTuple

from outrider.urls import UrlKey


class UrlOrigin(StrEnum):
    """How a URL was found. Stored as its position in `ORIGINS`."""

    MANUAL = "manual"
    SPIDER = "spider"
    FEED = "feed"
    SITEMAP = "sitemap"
    DISCOVERED = "discovered"
    REPLAY = "replay"
    REDIRECT = "redirect"


class EntryKind(IntEnum):
    """What an entry fetches."""

    PAGE = 0
    ROBOTS = 1
    FEED = 2
    SITEMAP = 3
    LINK = 4  # a link to check; its key differs from that of the page at the same address


class State(IntEnum):
    """The state of an entry, which `url_state()` in the schema derives from its row."""

    NEW = 0
    PENDING = 1
    FETCHED = 2
    DEAD = 3
    ALIAS = 4


NO_RUN = 0
ORIGINS = tuple(UrlOrigin)
ORIGIN_CODE = {origin: code for code, origin in enumerate(ORIGINS)}
LINK_ORIGINS = frozenset((UrlOrigin.SPIDER, UrlOrigin.DISCOVERED))  # only links led to the URL


class Submission(NamedTuple):
    """A URL to queue."""

    key: UrlKey
    url: str
    host: str
    priority: int
    depth: int = 0
    source_id: int = 1
    origin: UrlOrigin = UrlOrigin.MANUAL
    kind: EntryKind = EntryKind.PAGE
    parent: UrlKey | None = None
    hops: int = 0
    via: str | None = None  # hashes of the redirect chain that led here, comma-separated
    seen: tuple[str, int] | None = None  # the link as written, and its priority before its signals
    run_id: int = NO_RUN  # the run that asks for it


class KnownUrl(NamedTuple):
    """A URL of the frontier, with its source and priority."""

    key: UrlKey
    source_id: int
    priority: int


class SourceInterest(NamedTuple):
    """The state of a shared URL for one of the sources that want it."""

    source_id: int
    state: State  # PENDING: the source waits for a visit
    depth: int
    origin: UrlOrigin
    fetches: int  # visits that served the source
    reason: str | None = None  # why the URL is dead for the source
    held: bool = False  # a held source causes no visit
    served_with_others: bool = True  # a visit that another source causes serves this one, too


class SourceResult(NamedTuple):
    """The result of a visit of a shared URL for one source."""

    key: UrlKey
    source_id: int
    state: State
    reason: str | None = None
    is_read: bool = False


class Entry(NamedTuple):
    """One URL that was claimed with its host."""

    key: UrlKey
    url: str
    priority: int
    source_id: int
    origin: UrlOrigin
    kind: EntryKind
    depth: int
    attempts: int
    fetches: int
    hops: int
    via: str | None
    etag: str | None
    last_modified: str | None
    reason: str | None = None  # why it was queued again the last time
    shared: int = 0  # 0: not shared; changes when another source begins to wait for a visit
    interests: tuple[SourceInterest, ...] = ()  # one for each source that wants a shared URL
    run_id: int = NO_RUN  # the open run that asked for it
    content_hash: bytes | None = None  # of the text that is stored for it


class Completion(NamedTuple):
    """The result of a visit for one URL: fetched, to be tried again, dead, or an alias.

    `retry_in_s` None removes the URL from the queue. `moved_to` makes it an alias. `fetches` is the count at
    the claim: a late failure must not overwrite a success that another worker recorded since.
    """

    key: UrlKey
    url: str
    source_id: int
    origin: UrlOrigin
    kind: EntryKind
    priority: int
    depth: int
    fetches: int
    status: int | None = None
    reason: str | None = None
    retry_in_s: float | None = None
    attempts: int = 0
    moved_to: UrlKey | None = None
    parent: UrlKey | None = None
    shared: int = 0  # at the claim
    run_id: int = NO_RUN  # at the claim


class SubmissionResult(StrEnum):
    """The result of a submission."""

    INSERTED = "inserted"
    RAISED = "raised"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Submitted:
    """How many of a batch were new, raised in priority, or known already."""

    inserted: int = 0
    raised: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts by state. Every flush maintains them, so that reading them scans no URLs."""

    pending: int = 0
    fetched: int = 0
    dead: int = 0
    aliases: int = 0
    held: int = 0
    others: dict[str, int] = field(default_factory=dict)

    @property
    def known(self) -> int:
        return self.pending + self.fetched + self.dead + self.aliases


@dataclass(frozen=True, slots=True)
class History:
    """One request in the history of an entry."""

    at: datetime
    outcome: str
    status: int | None
    elapsed_ms: int
    wire_bytes: int
    worker_id: int | None
    content_length: int | None = None
    content_type: str | None = None
    error_message: str | None = None


class RequestNote(NamedTuple):
    """One request made, for the history. `ended` is on the worker's monotonic clock."""

    key: UrlKey
    outcome: str
    status: int | None
    elapsed_ms: int
    wire_bytes: int
    ended: float
    is_page: bool = False
    is_error: bool = False
    content_length: int | None = None
    content_type: str | None = None
    error_message: str | None = None


@dataclass(frozen=True, slots=True)
class TemplateNote:
    """What the pages of a URL template have yielded so far."""

    host_id: int
    template: str
    fetched: int
    barren_run: int
    barren: bool
