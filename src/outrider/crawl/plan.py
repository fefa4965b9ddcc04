"""A policy made ready for use: its patterns compiled, its depth within the cap."""

from dataclasses import dataclass
from typing import Self

from outrider.errors import InvalidInput
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.with_selectors import Recipe
from outrider.logs import get_logger
from outrider.sources.model import Mode
from outrider.sources.owners import UrlOwner
from outrider.sources.patterns import Pattern
from outrider.sources.policy import External, Policy
from outrider.sources.scope import Scope
from outrider.urls import DEFAULT_RULES, Rules

log = get_logger()


@dataclass(frozen=True, slots=True)
class Follow:
    """Which links of a page are taken (SPI-01, SPI-08)."""

    inside: bool = True  # those that stay within the scope are queued
    outside: External = External.IGNORE


FOLLOW_ALL = Follow()


@dataclass(frozen=True, slots=True)
class CrawlPlan:
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
    def of(cls, owner: UrlOwner, depth_cap: int) -> Self:
        """Raises InvalidInput for a pattern that cannot be used."""
        policy, is_watched = owner.policy, owner.is_watched
        return cls(
            owner.source_id,
            owner.name,
            policy,
            policy.bounds(),
            policy.depth_limit(depth_cap),
            tuple(map(Pattern.compile, policy.article_patterns)),
            Follow(inside=owner.mode is not Mode.FEED, outside=policy.external) if is_watched else FOLLOW_ALL,
            _recipe_of(owner) if is_watched or policy.main_text else None,
            is_watched,
            policy.url_rules(),
        )


def _recipe_of(owner: UrlOwner) -> Recipe:
    try:
        return Recipe(Selectors.from_json(owner.selectors), owner.template)
    except InvalidInput as error:
        log.warning("selectors not used", source=owner.name, error=str(error))
        return Recipe(template=owner.template)
