"""The crawl policy of a source or a crawl command. Only this file reads and writes its JSON form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Self

from outrider.fetch.hops import RedirectPolicy, RedirectScope
from outrider.sources.scope import DEFAULT_DEPTH, Scope, ScopeKind
from outrider.urls import DEFAULT_RULES, DEFAULT_TRACKING, Rules

USUAL_POLL_S = 900.0


class External(StrEnum):
    """How links that lead out of their source are handled (SPI-08)."""

    IGNORE = "ignore"
    RECORD = "record"  # recorded for an operator; queued if another source watches the host
    FRONTIER = "frontier"  # recorded and queued, also if no source watches the host


@dataclass(frozen=True, slots=True)
class Policy:
    """Where a crawl starts, how far it goes, and what it excludes.

    `stated` names the fields that a person set. A field may be set to the value that is the default today:
    it keeps this value in a later version that has another default.
    """

    seeds: Sequence[str] = ()
    scope: ScopeKind = ScopeKind.HOST
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    allowed_domains: Sequence[str] = ()  # besides those of the scope: `example.com`, `*.example.com` (SPI-04)
    barred_domains: Sequence[str] = ()
    max_depth: int = DEFAULT_DEPTH  # 0 means the default, -1 as deep as the global cap
    max_pages: int | None = None
    max_pages_per_host: int | None = None
    delay_s: float | None = None
    ignore_robots: bool = False
    obey_nofollow: bool = True
    content_filter: bool = True
    main_text: bool = False
    priority: int = 5
    # For watched sources (SRC-17):
    poll_s: float | None = None  # None: as the settings say
    sitemap_poll_s: float | None = None  # None: as the settings say
    recrawl_s: float | None = None
    backfill: bool = False  # take all entries of a sitemap, not only recent ones
    spider_without_feed: bool = False  # FED-24: follow links where no feed or sitemap announces pages
    article_patterns: Sequence[str] = ()
    external: External = External.RECORD
    keep_slash: bool = False
    tracking_keep: Sequence[str] = ()
    tracking_add: Sequence[str] = ()
    redirect_policy: RedirectPolicy | None = None  # None: as the settings say
    redirect_scope: RedirectScope | None = None  # None: as the settings say
    stated: frozenset[str] = field(default=frozenset(), kw_only=True)

    def __post_init__(self) -> None:
        """Lists become tuples, and a field with another value than its default counts as stated."""
        for name in _LISTS:
            object.__setattr__(self, name, tuple(getattr(self, name)))
        changed = {name for name, default in _DEFAULTS.items() if getattr(self, name) != default}
        object.__setattr__(self, "stated", (self.stated | changed) - _ALWAYS_STORED)

    @property
    def usual_poll_s(self) -> float:
        """The first visit interval of a listing."""
        return self.poll_s or USUAL_POLL_S

    def depth_limit(self, cap: int) -> int:
        """SPI-05: unset means 3, -1 means up to the cap, nothing goes past the cap."""
        wanted = DEFAULT_DEPTH if self.max_depth == 0 else self.max_depth
        return cap if wanted < 0 else min(wanted, cap)

    def bounds(self) -> Scope:
        """The scope of the crawl; raises InvalidInput for an invalid pattern."""
        return Scope.of(
            self.scope, self.seeds, self.include, self.exclude, self.allowed_domains, self.barred_domains
        )

    def url_rules(self) -> Rules:
        """The rules that normalise its URLs."""
        tracking = DEFAULT_TRACKING.add(*self.tracking_add).keep(*self.tracking_keep)
        return replace(DEFAULT_RULES, strip_trailing_slash=not self.keep_slash, tracking=tracking)

    def stated_value(self, name: str) -> Any:
        """The value of a field that a person set; None for a field that has its default."""
        return getattr(self, name) if name in self.stated else None

    def to_json(self) -> dict[str, Any]:
        """The stored form: the fields that are stated, the seeds and the priority."""
        stored = self.stated | _ALWAYS_STORED
        return {name: _json_value(getattr(self, name)) for name in _DEFAULTS if name in stored}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read a stored policy. A name or a value that this version does not know counts as not stated.

        Raises ValueError if the stored value is no JSON object.
        """
        if not isinstance(stored, Mapping):
            raise ValueError("the stored policy is no JSON object")
        read = {name: _read(name, value) for name, value in stored.items() if name in _DEFAULTS}
        return cls._of_stated(read)

    @classmethod
    def _of_stated(cls, values: Mapping[str, Any]) -> Self:
        given = {name: value for name, value in values.items() if value is not None}
        return cls(**given, stated=frozenset(given))


def policy_of_row(row: Any) -> Policy:
    """The policy of a row that has the column `policy`. Only this function reads the stored form."""
    return Policy.from_json(row["policy"])


@dataclass(frozen=True, slots=True)
class PolicyChanges:
    """New values for some fields of a policy. None resets a field to its default."""

    values: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if unknown := self.values.keys() - _DEFAULTS.keys():
            raise ValueError(f"a policy has no field {', '.join(sorted(unknown))}")

    def applied_to(self, policy: Policy) -> Policy:
        """`policy` with these changes and no other."""
        kept = {name: getattr(policy, name) for name in policy.stated | _ALWAYS_STORED}
        return Policy._of_stated(kept | dict(self.values))

    def for_source(self, policy: Policy, url: str, priority: int) -> Policy:
        """`policy` with these changes, for a source that starts at `url` with this priority."""
        return replace(self.applied_to(policy), seeds=(url,), priority=priority)


_CHOICES: Mapping[str, type[StrEnum]] = {
    "scope": ScopeKind,
    "external": External,
    "redirect_policy": RedirectPolicy,
    "redirect_scope": RedirectScope,
}
_DEFAULTS: Mapping[str, Any] = {each.name: each.default for each in fields(Policy) if each.name != "stated"}
_LISTS = frozenset(name for name, default in _DEFAULTS.items() if default == ())
_FLAGS = frozenset(name for name, default in _DEFAULTS.items() if isinstance(default, bool))
_ALWAYS_STORED = frozenset(("seeds", "priority"))


DEFAULT_POLICY = Policy()
NO_CHANGES = PolicyChanges()


def _read(name: str, value: Any) -> Any:
    """A stored value; None if it is invalid for its field."""
    if value is None:
        return None
    if name in _CHOICES:
        return next((choice for choice in _CHOICES[name] if choice.value == value), None)
    if name in _LISTS:
        return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else None
    if name in _FLAGS:
        return value if isinstance(value, bool) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _json_value(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value
