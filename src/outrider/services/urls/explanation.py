"""The result of `explain_url`: everything that is known about one URL."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from outrider.frontier.model import History
from outrider.frontier.paths import Referrer
from outrider.frontier.redirect_hops import SeenRedirect
from outrider.hosts.view import HostView
from outrider.robots import RobotsVerdict
from outrider.robots.files import StoredFile
from outrider.services.as_json import json_name
from outrider.urls.typed import Step


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """The frontier entry of a URL."""

    state: str  # pending, fetched, dead or alias
    kind: str
    source: str | None
    origin: str
    depth: int
    priority: int
    is_held: bool
    discovered_at: datetime
    last_fetch_at: datetime | None
    next_fetch_at: datetime | None
    fetches: int
    attempts: int
    status: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class InterestedSource:
    """A source that wants a shared URL, and the state of the URL for that source."""

    source_id: int
    source: str
    state: str  # pending, fetched, dead or alias
    reason: str | None


@dataclass(frozen=True, slots=True)
class CrawlVerdict:
    """Whether a crawl of this database would take the URL, and if not, why not."""

    crawl: str
    refusal: str | None


@dataclass(frozen=True, slots=True)
class RobotsRuling:
    """What the stored robots.txt says about the URL."""

    file: StoredFile
    verdict: RobotsVerdict
    delay_s: float | None
    is_empty: bool = False  # whether the file has no text


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """The document of the URL."""

    title: str | None
    words: int
    bytes: int
    language: str | None
    content_type: str | None
    fetched_at: datetime
    changed_at: datetime
    versions: int
    etag: str | None
    last_modified: str | None
    noindex: bool
    duplicate_of: str | None
    is_near_duplicate: bool
    canonical_url: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The facts about a URL: None or empty if nothing is known."""

    url: str
    known: EntryFacts | None
    host: HostView | None
    ruling: RobotsRuling | None
    document: DocumentFacts | None = None
    way_here: Sequence[Referrer] = field(default_factory=tuple)  # nearest first, the seed last
    way_on: Sequence[str] = field(default_factory=tuple)  # where it moved, redirect by redirect
    history: Sequence[History] = field(default_factory=tuple)  # newest first
    redirects: Sequence[SeenRedirect] = field(default_factory=tuple)  # that were met there, newest first
    # The verdict of each crawl of this database, only for an address that is not known.
    crawl_verdicts: Sequence[CrawlVerdict] = field(default_factory=tuple, metadata=json_name("wishes"))
    wanted_by: Sequence[InterestedSource] = field(default_factory=tuple)  # only where several sources want it

    @property
    def unconfirmed(self) -> SeenRedirect | None:
        """The last redirect of a URL whose page is kept, because the move is not confirmed yet."""
        known = self.known
        if known is None or known.state not in ("fetched", "pending"):
            return None
        if self.document is None or not self.redirects:
            return None
        last = self.redirects[0]
        was_last_answer = known.status == last.status and last.last_seen_at > self.document.fetched_at
        return last if was_last_answer else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedUrl(Explanation):
    """An explanation with its conclusion in sentences, for a URL as the user typed it."""

    given: str
    url_hash: str
    normalised_by: Sequence[Step]
    conclusion: str
    next: str  # when it is fetched next, and why not before
