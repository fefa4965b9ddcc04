"""A policy prepared for visits: its patterns compiled, its depth within the cap."""

from dataclasses import dataclass
from typing import Self

from outrider.errors import InvalidInput
from outrider.extract.recipe.model import Recipe
from outrider.extract.recipe.selectors import Selectors
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
    """Which links of a page are queued or recorded (SPI-01, SPI-08)."""

    inside: bool = True  # links within the scope are queued
    outside: External = External.IGNORE


FOLLOW_ALL = Follow()


@dataclass(frozen=True, slots=True)
class CrawlPlan:
    """The compiled policy of one source, held by one worker."""

    source_id: int
    name: str
    policy: Policy
    scope: Scope
    max_depth: int
    articles: tuple[Pattern, ...] = ()  # patterns of article URLs; empty: the general heuristic decides
    follow: Follow = FOLLOW_ALL
    recipe: Recipe | None = None  # how the main text of its pages is extracted; None: it is not
    is_watched: bool = False
    rules: Rules = DEFAULT_RULES

    @classmethod
    def of(cls, owner: UrlOwner, depth_cap: int) -> Self:
        """Compile the policy of a source. Raises InvalidInput for a pattern that cannot be used."""
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
