"""The words of redirects."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from outrider.described import DescribedName
from outrider.redirects.target import Target

GONE = 410
PERMANENT = 301
TEMPORARY = 302
USUAL_CODES = (PERMANENT, TEMPORARY)
MORE_CODES = (303, 307, 308)
_TEMPORARY_CODES = frozenset((302, 303, 307))


class RedirectSource(DescribedName):
    """What created a redirect (RDM-03)."""

    AUTO_SLUG_CHANGE = "auto_slug_change", "The page was renamed."
    AUTO_DELETED = "auto_deleted", "The page was deleted or hidden."
    ANALYTICS_DETECTED = "analytics_detected", "Visitors missed the page, and one live page is like it."
    ADMIN = "admin", "A person or an import created it."

    @property
    def is_pruned(self) -> bool:
        """Whether a redirect that has no visitor for a long time is removed (RDM-19)."""
        return self in (RedirectSource.AUTO_SLUG_CHANGE, RedirectSource.AUTO_DELETED)


class ChangeAction(DescribedName):
    """What happened to a redirect."""

    CREATED = "created", "The redirect is new."
    CHANGED = "changed", "The redirect has another target or code."
    REMOVED = "removed", "The redirect is gone."


class RedirectSort(StrEnum):
    """The order of a list of redirects."""

    FROM_PATH = "from_path"
    HITS = "hits"
    CREATED_AT = "created_at"


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where visitors of a path are sent. Without a target the answer is 410."""

    from_path: str  # in stored form
    target: Target | None
    status: int = PERMANENT
    source: RedirectSource = RedirectSource.ADMIN
    confidence: float | None = None  # of a detected one, from 0 to 1

    @property
    def to(self) -> str | None:
        """The target as text."""
        return None if self.target is None else self.target.text

    @property
    def to_key(self) -> str | None:
        """The path of the target on the same site."""
        return None if self.target is None else self.target.key


@dataclass(frozen=True, slots=True)
class StoredRedirect:
    """A redirect with its counts."""

    redirect_id: int
    redirect: Redirect
    hit_count: int
    created_at: datetime
    updated_at: datetime
    last_hit_at: datetime | None


@dataclass(frozen=True, slots=True)
class TableChange:
    """One change of a redirect, with what was there before."""

    action: ChangeAction
    from_path: str
    before: Redirect | None
    after: Redirect | None
    why: str


def status_through(first: int, second: int) -> int:
    """The code of a redirect that leads through another one: temporary if either is."""
    if second == GONE:
        return GONE
    return TEMPORARY if second in _TEMPORARY_CODES and first not in _TEMPORARY_CODES else first
