"""The types of the dead-link monitor."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from outrider.links.evidence import PastCheck, Verdict
from outrider.links.reason import LinkReason, why_of


class LinkType(StrEnum):
    """Where a link leads."""

    INTERNAL = "internal"  # to a path of the site
    EXTERNAL = "external"


class LinkKind(StrEnum):
    """What the field of a link is."""

    NAV = "nav"
    FOOTER = "footer"
    SOCIAL = "social"
    BANNER = "banner"
    RICH_TEXT = "rich_text"
    SYNCED = "synced"  # a text that a sync brings, such as the description of a supplier
    EMAIL = "email"  # an e-mail address, which is no link
    RENDERED = "rendered"  # found by the crawler in a page of the site
    OTHER = "other"


class StoredLinkStatus(StrEnum):
    """What is known about a stored link."""

    OK = "ok"
    DEAD = "dead"
    MOVED = "moved"
    UNCHECKED = "unchecked"
    UNCERTAIN = "uncertain"


class PathState(StrEnum):
    """What a site says about one of its paths."""

    LIVE = "live"
    MOVED = "moved"  # `PathAnswer.moved_to` has the new path
    ITEM_MISSING = "item_missing"
    ITEM_HIDDEN = "item_hidden"
    COLLECTION_MISSING = "collection_missing"
    NO_ROUTE = "no_route"
    UNKNOWN = "unknown"  # the site has no inventory


@dataclass(frozen=True, slots=True)
class PathAnswer:
    """The state of a path, and where it moved."""

    state: PathState
    moved_to: str | None = None


# Answers for the paths of one site, from its inventory and its routes. A missing path has no route.
LivePaths = Callable[[Sequence[str]], Awaitable[Mapping[str, PathAnswer]]]


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link in a content field."""

    link_id: int
    site_id: int
    source_key: str
    url: str
    link_type: LinkType
    status: StoredLinkStatus
    http_status: int | None
    reason: LinkReason | str | None  # a text: a reason of another version
    moved_to: str | None
    pending_since: datetime | None
    last_checked_at: datetime | None
    is_ignored: bool
    edit_url: str | None
    kind: LinkKind
    created_at: datetime
    updated_at: datetime

    @property
    def why(self) -> str | None:
        """The reason as a sentence."""
        return why_of(self.reason) if self.reason else None

    def json_form(self) -> dict[str, Any]:
        return {
            "id": self.link_id,
            **{each.name: getattr(self, each.name) for each in fields(self)},
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class LinkState:
    """What a check says about a link, to be stored."""

    status: StoredLinkStatus
    reason: LinkReason | str | None = None
    http_status: int | None = None
    moved_to: str | None = None
    pending_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """One check of an external address, with its evidence."""

    checked_at: datetime
    verdict: Verdict
    reason: LinkReason | str  # a text: a reason of another version
    http_status: int | None
    moved_to: str | None
    pending_since: datetime | None
    evidence: Sequence[Mapping[str, Any]]

    @property
    def why(self) -> str:
        """The reason as a sentence."""
        return why_of(self.reason)

    @property
    def past(self) -> PastCheck:
        """The check for the next verdict. A reason of another version says nothing about the link."""
        known = self.reason if isinstance(self.reason, LinkReason) else LinkReason.NOT_CHECKED
        return PastCheck(self.checked_at, self.verdict, known)

    @property
    def state(self) -> LinkState:
        status = StoredLinkStatus(self.verdict.value)
        return LinkState(status, self.reason, self.http_status, self.moved_to, self.pending_since)


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """The links of a site by status, without ignored ones. `attention`: the badge (DLM-17)."""

    ok: int = 0
    dead: int = 0
    moved: int = 0
    unchecked: int = 0
    uncertain: int = 0
    ignored: int = 0

    @property
    def attention(self) -> int:
        return self.dead


@dataclass(frozen=True, slots=True)
class LinkUpdate:
    """A link that the system of the owner is asked to replace in a field."""

    link_id: int
    source_key: str
    url: str
    replacement: str
    requested_at: datetime
