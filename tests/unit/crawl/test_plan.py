"""What a source's kind, mode and selectors make of its plan."""

from typing import Any

import pytest

from outrider.crawl.plan import CrawlPlan, Follow
from outrider.extract.recipe.model import Recipe
from outrider.sources.model import Mode
from outrider.sources.owners import OwnerKind, UrlOwner
from outrider.sources.policy import External, Policy

DEFAULT = Policy()


def plan(kind: str, mode: str = "spider", policy: Policy = DEFAULT, **facts: Any) -> CrawlPlan:
    owner = UrlOwner(2, "news", policy, kind=OwnerKind(kind), mode=Mode(mode), **facts)
    return CrawlPlan.of(owner, depth_cap=10)


@pytest.mark.parametrize(
    ("kind", "mode", "policy", "follow"),
    [
        ("crawl", "spider", Policy(external=External.RECORD), Follow(inside=True, outside=External.IGNORE)),
        ("watch", "feed", DEFAULT, Follow(inside=False, outside=External.RECORD)),
        ("watch", "spider", Policy(external=External.IGNORE), Follow(inside=True, outside=External.IGNORE)),
        ("watch", "both", Policy(external=External.FRONTIER), Follow(inside=True, outside=External.FRONTIER)),
    ],
)
def test_which_links_are_followed(kind, mode, policy, follow):
    """SRC-02, SPI-08."""
    assert plan(kind=kind, mode=mode, policy=policy).follow == follow


def test_a_crawl_reads_pages_as_a_whole_only_when_asked():
    assert plan(kind="crawl").recipe is None
    assert plan(kind="crawl", policy=Policy(main_text=True)).recipe == Recipe()
    assert plan(kind="watch").recipe == Recipe()


def test_selectors_and_template_of_the_source_are_its_recipe():
    recipe = plan(kind="watch", selectors={"article": {"title": "h2"}}, template="ghost").recipe

    assert recipe is not None
    assert (recipe.selectors.article.title, recipe.template) == ("h2", "ghost")


def test_selectors_that_cannot_be_used_do_not_stop_the_source():
    """Stored by another version of us, or by hand."""
    assert plan(kind="watch", selectors={"article": {"titel": "h2"}}, template="ghost").recipe == Recipe(
        template="ghost"
    )
