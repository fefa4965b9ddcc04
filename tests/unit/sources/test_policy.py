"""What a source asks for survives being stored, also by another version of us."""

import json

import pytest

from outrider.crawl.plan import CrawlPlan
from outrider.sources.crawl_commands import crawl_name
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import External, Policy, PolicyChanges
from outrider.sources.scope import ScopeKind

FULL = Policy(
    seeds=["http://a.test/"],
    scope=ScopeKind.PREFIX,
    include=["/a"],
    exclude=["/b"],
    max_depth=-1,
    max_pages=10,
    max_pages_per_host=5,
    delay_s=0.5,
    ignore_robots=True,
    obey_nofollow=False,
    content_filter=False,
    main_text=True,
    priority=7,
)


@pytest.mark.parametrize("policy", [Policy(), FULL], ids=["defaults", "everything set"])
def test_a_policy_survives_being_stored(policy):
    stored = json.loads(json.dumps(policy.to_json()))

    again = Policy.from_json(stored)

    assert again.to_json() == json.loads(json.dumps(policy.to_json()))
    assert again.scope is policy.scope


def test_names_a_newer_version_wrote_are_ignored():
    assert Policy.from_json({"priority": 3, "colour": "blue"}) == Policy(priority=3)


@pytest.mark.parametrize(
    "stored",
    [
        {"poll_s": "often"},
        {"poll_s": True},
        {"poll_s": None},
        {"ignore_robots": "yes"},
        {"ignore_robots": 1},
        {"include": "/a"},
        {"include": [1]},
        {"scope": "moon"},
        {"scope": 7},
    ],
)
def test_a_value_that_its_field_cannot_have_counts_as_not_stated(stored):
    assert Policy.from_json(stored) == Policy()


def test_a_policy_that_is_no_object_is_refused():
    with pytest.raises(ValueError, match="no JSON object"):
        Policy.from_json([])  # type: ignore[arg-type]


def test_only_stated_fields_are_stored():
    asked = Policy(seeds=["http://a.test/"], external=External.IGNORE, stated=frozenset(("keep_slash",)))

    assert asked.to_json() == {
        "seeds": ["http://a.test/"],
        "priority": 5,
        "external": "ignore",
        "keep_slash": False,
    }


def test_changes_touch_the_fields_they_name_and_no_others():
    before = Policy(delay_s=2.0, max_depth=4, stated=frozenset(("keep_slash",)))

    after = PolicyChanges({"max_depth": None, "include": ["/a"]}).applied_to(before)

    assert after == Policy(delay_s=2.0, include=["/a"], stated=frozenset(("keep_slash",)))
    with pytest.raises(ValueError, match="no field colour"):
        PolicyChanges({"colour": "blue"})


@pytest.mark.parametrize(
    ("asked", "cap", "limit"), [(0, 10, 3), (0, 2, 2), (5, 10, 5), (50, 10, 10), (-1, 10, 10), (-1, 0, 0)]
)
def test_depth_is_what_was_asked_for_up_to_the_cap(asked, cap, limit):
    assert Policy(max_depth=asked).depth_limit(cap) == limit


def test_a_plan_is_a_policy_made_ready():
    plan = CrawlPlan.of(UrlOwner(4, "news", FULL), depth_cap=8)

    assert (plan.source_id, plan.name, plan.max_depth) == (4, "news", 8)
    assert plan.scope.admits("http://a.test/a")
    assert not plan.scope.admits("http://a.test/b")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["http://a.test/", "http://b.test/"], ["http://b.test/", "http://a.test/"], True),
        (["http://a.test/", "http://a.test/"], ["http://a.test/"], True),
        (["http://a.test/"], ["http://b.test/"], False),
    ],
)
def test_the_same_seeds_are_the_same_crawl(one, other, same):
    assert (crawl_name(one) == crawl_name(other)) is same
