"""What links are remembered by: the same key only where they surely mean the same."""

import pytest

from outrider.crawl.pages.memory import by_place, memory_keys, places_of
from outrider.errors import InvalidUrl
from outrider.urls import normalize

PAGES = (
    "http://a.test/1/x",
    "http://a.test/1/y?q=1",
    "http://a.test/2/",
    "https://a.test/1/x",
    "http://b.test/",
)
HREFS = (
    "x", "./x", "../x", "/", "/x", "/1/x", "//b.test/x", "/\\b.test/x", "/\t/b.test/x", "\\x", "?q=2", "?",
    "http://a.test/x", "http://a.test/", "https://a.test/x", "http://b.test/x", "http:x", "httpd", "HTTP://a.test/x",
)  # fmt: skip


def _meaning(href: str, page: str) -> str | None:
    try:
        return normalize(href, page)
    except InvalidUrl:
        return None


def test_links_with_the_same_key_lead_to_the_same_page():
    meanings: dict[str, set[str | None]] = {}
    for page in PAGES:
        for href in HREFS:
            [key] = memory_keys(1, 7, page, [href])
            meanings.setdefault(key, set()).add(_meaning(href, page))

    assert {key: found for key, found in meanings.items() if len(found) > 1} == {}


def test_a_fixed_link_has_one_meaning_in_its_place():
    meanings: dict[tuple[str, str], set[str | None]] = {}
    for page in PAGES:
        for place, fixed in by_place(HREFS, places_of(1, 7, page)).items():
            for href in fixed:
                meanings.setdefault((place, href), set()).add(_meaning(href, page))

    assert len(meanings) > len(PAGES)
    assert {key: found for key, found in meanings.items() if len(found) > 1} == {}


@pytest.mark.parametrize(
    ("href", "page", "other_href", "other_page"),
    [
        pytest.param("x", "http://a.test/1/x", "x", "http://a.test/1/y", id="relative, in one folder"),
        pytest.param("/x", "http://a.test/1/", "/x", "http://a.test/2/", id="from the root, on one site"),
        pytest.param(
            "/x", "http://a.test/1/", "http://a.test/x", "http://b.test/", id="and written out elsewhere"
        ),
        pytest.param("?q", "http://a.test/1", "?q", "http://a.test/1", id="a bare query, on one page"),
    ],
)
def test_what_every_page_repeats_has_one_key(href, page, other_href, other_page):
    assert set(memory_keys(1, 7, page, [href])) == set(memory_keys(1, 7, other_page, [other_href]))


def test_two_spellings_of_a_link_on_one_page_are_one():
    assert memory_keys(1, 7, PAGES[0], ["/x", "http://a.test/x"]) == {
        "1.7 http://a.test/x": "http://a.test/x"
    }


def test_each_source_remembers_for_itself():
    assert memory_keys(1, 7, PAGES[0], ["/x"]) != memory_keys(2, 7, PAGES[0], ["/x"])


def test_each_run_looks_its_links_up_again():
    assert memory_keys(1, 7, PAGES[0], ["/x"]) != memory_keys(1, 8, PAGES[0], ["/x"])
