"""What a source's kind, mode and selectors make of its plan."""

import pytest

from outrider.crawl.policy import External, Follow, Plan
from outrider.extract.recipe.with_selectors import Recipe
from outrider.frontier.sources import Source


def plan(**source: object) -> Plan:
    policy = source.pop("policy", {})
    return Plan.of(Source(2, "news", 5, policy, held=False, **source), depth_cap=10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "mode", "policy", "follow"),
    [
        ("crawl", "spider", {"external": "record"}, Follow(inside=True, outside=External.IGNORE)),
        ("watch", "feed", {}, Follow(inside=False, outside=External.RECORD)),
        ("watch", "spider", {"external": "ignore"}, Follow(inside=True, outside=External.IGNORE)),
        ("watch", "both", {"external": "frontier"}, Follow(inside=True, outside=External.FRONTIER)),
    ],
)
def test_which_links_are_followed(kind, mode, policy, follow):
    """SRC-02, SPI-08."""
    assert plan(kind=kind, mode=mode, policy=policy).follow == follow


def test_a_crawl_reads_pages_as_a_whole_only_when_asked():
    assert plan(kind="crawl").recipe is None
    assert plan(kind="crawl", policy={"main_text": True}).recipe == Recipe()
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
