"""Selectors are read whole, or refused with everything that is wrong with them."""

import pytest

from outrider.errors import InvalidInput
from outrider.extract.recipe.selectors import LONGEST_SELECTOR, MOST_EXCLUDED, Selectors

ARTICLE = """
    container title body intro link image byline published_time time_ago section category article_id json_ld
    keywords description og_title og_description og_image og_url og_type og_site_name canonical author
"""
PAGE = """
    container title content description keywords og_title og_description og_image og_url og_type og_site_name
    canonical
"""
WHOLE = {
    "article": {name: f".{name}" for name in ARTICLE.split()} | {"exclude": [".ad", ".share"]},
    "list": {
        "container": "main",
        "article_cards": ".card",
        "article_list": "ul.news li",
        "exclude_from_list": [".promoted"],
    },
    "page": {name: f".{name}" for name in PAGE.split()} | {"exclude": ["aside"]},
}


def test_every_field_of_the_three_groups_is_read_and_written_back():
    """EXT-04."""
    assert Selectors.from_json(WHOLE).to_json() == WHOLE


@pytest.mark.parametrize(
    "nothing", [None, {}, {"article": {}}, {"article": {"title": ""}}, {"list": {"container": None}}]
)
def test_empty_fields_leave_it_to_the_defaults(nothing):
    assert not Selectors.from_json(nothing)
    assert Selectors.from_json(nothing) == Selectors()


def test_one_exclusion_need_not_be_a_list():
    assert Selectors.from_json({"article": {"exclude": " .ad "}}).article.exclude == (".ad",)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"articel": {}}, "there is no group 'articel': write article, list or page"),
        ({"article": "h1"}, "article is no object"),
        ({"article": {"titel": "h1"}}, "article has no field 'titel': did you mean title"),
        ({"list": {"zzz": "h1"}}, "list has no field 'zzz': write container, article_cards"),
        ({"article": {"title": 7}}, "article.title is no text"),
        ({"article": {"title": "h1["}}, "article.title: 'h1[' is no CSS selector"),
        ({"article": {"title": "h1::text"}}, "is no CSS selector"),
        ({"article": {"body": "div:has(p)"}}, "article.body: :has() is too slow"),
        ({"page": {"content": "p:NTH-child(2)"}}, "page.content: :NTH-child() is too slow"),
        ({"article": {"title": "a" * (LONGEST_SELECTOR + 1)}}, f"write at most {LONGEST_SELECTOR}"),
        ({"article": {"exclude": {"a": 1}}}, "article.exclude is no list"),
        ({"article": {"exclude": ["p"] * (MOST_EXCLUDED + 1)}}, f"write at most {MOST_EXCLUDED}"),
    ],
)
def test_what_is_wrong_is_said(given, said):
    with pytest.raises(InvalidInput) as refused:
        Selectors.from_json(given)

    assert said in str(refused.value)


def test_all_that_is_wrong_is_said_at_once_but_no_book_is_written():
    with pytest.raises(InvalidInput) as refused:
        Selectors.from_json({"article": {"title": "[", "body": "]"} | {f"x{n}": "a" for n in range(1000)}})

    assert "article.title" in str(refused.value)
    assert "article.body" in str(refused.value)
    assert "and 982 more" in str(refused.value)
