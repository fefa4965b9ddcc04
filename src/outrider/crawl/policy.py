"""What a source asks of the crawl: stored with it as JSON, read by every worker."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any, Self

from outrider.crawl.admission.patterns import Pattern
from outrider.crawl.admission.scope import DEFAULT_DEPTH, Scope, ScopeKind
from outrider.errors import InvalidInput
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.with_selectors import Recipe
from outrider.fetch.hops import RedirectPolicy, RedirectScope
from outrider.frontier.sources import Source
from outrider.logs import get_logger
from outrider.urls import DEFAULT_RULES, DEFAULT_TRACKING, Rules

log = get_logger()


class External(StrEnum):
    """What becomes of links that lead out of their source (SPI-08)."""

    IGNORE = "ignore"
    RECORD = "record"  # kept for a person to look through; queued where another source watches the host
    FRONTIER = "frontier"  # recorded and queued, also where no source watches the host


@dataclass(frozen=True, slots=True)
class Policy:
    """How far to go from which seeds, and what to leave alone."""

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
    # Of sources that are watched (SRC-17):
    poll_s: float = 900.0
    sitemap_poll_s: float = 21_600.0
    recrawl_s: float | None = None
    backfill: bool = False  # take a sitemap whole at first contact, not only what is recent
    spider_without_feed: bool = False  # FED-24: walk the site when nothing announces its pages
    article_patterns: Sequence[str] = ()
    external: External = External.RECORD
    keep_slash: bool = False
    tracking_keep: Sequence[str] = ()
    tracking_add: Sequence[str] = ()
    redirect_policy: RedirectPolicy | None = None  # None: as everywhere
    redirect_scope: RedirectScope | None = None  # None: as everywhere

    def depth_limit(self, cap: int) -> int:
        """SPI-05: unset means 3, -1 means up to the cap, nothing goes past the cap."""
        wanted = DEFAULT_DEPTH if self.max_depth == 0 else self.max_depth
        return cap if wanted < 0 else min(wanted, cap)

    def bounds(self) -> Scope:
        """Which URLs belong; raises InvalidInput for a pattern that cannot be used."""
        return Scope.of(
            self.scope, self.seeds, self.include, self.exclude, self.allowed_domains, self.barred_domains
        )

    def url_rules(self) -> Rules:
        """How its links are spelt."""
        tracking = DEFAULT_TRACKING.add(*self.tracking_add).keep(*self.tracking_keep)
        return replace(DEFAULT_RULES, strip_trailing_slash=not self.keep_slash, tracking=tracking)

    def to_json(self) -> dict[str, Any]:
        return {
            name: value.value if isinstance(value, StrEnum) else value for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read a stored policy; names a newer version wrote are ignored, missing ones take the default."""
        known = {field.name for field in fields(cls)}
        values = {name: value for name, value in stored.items() if name in known}
        for name, choices in _CHOICES.items():
            if values.get(name) is not None:
                values[name] = choices(values[name])
        return cls(**values)


_CHOICES: Mapping[str, type[StrEnum]] = {
    "scope": ScopeKind,
    "external": External,
    "redirect_policy": RedirectPolicy,
    "redirect_scope": RedirectScope,
}


@dataclass(frozen=True, slots=True)
class Follow:
    """Which links of a page are taken (SPI-01, SPI-08)."""

    inside: bool = True  # those that stay within the scope are queued
    outside: External = External.IGNORE


FOLLOW_ALL = Follow()


@dataclass(frozen=True, slots=True)
class Plan:
    """A policy made ready for use, as one worker holds it."""

    source_id: int
    name: str
    policy: Policy
    scope: Scope
    max_depth: int
    articles: tuple[Pattern, ...] = ()  # what addresses of articles look like; empty: as they do anywhere
    follow: Follow = FOLLOW_ALL
    recipe: Recipe | None = None  # how its pages are read for their main text; None: they are not
    is_watched: bool = False
    rules: Rules = DEFAULT_RULES

    @classmethod
    def of(cls, source: Source, depth_cap: int) -> Self:
        """Raises InvalidInput for a pattern that nobody can use."""
        policy = Policy.from_json(source.policy)
        is_watched = source.kind == "watch"
        return cls(
            source.source_id,
            source.name,
            policy,
            policy.bounds(),
            policy.depth_limit(depth_cap),
            tuple(map(Pattern.compile, policy.article_patterns)),
            Follow(inside=source.mode != "feed", outside=policy.external) if is_watched else FOLLOW_ALL,
            _recipe_of(source) if is_watched or policy.main_text else None,
            is_watched,
            policy.url_rules(),
        )


def _recipe_of(source: Source) -> Recipe:
    try:
        return Recipe(Selectors.from_json(source.selectors), source.template)
    except InvalidInput as error:
        log.warning("selectors not used", source=source.name, error=str(error))
        return Recipe(template=source.template)
