"""Spellings of a path that a site takes for the same, and paths that are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.sites.paths import PathRules, decoded, for_header, read_path, stored
from outrider.sites.slug import slug_of, words_of

RULES = PathRules()


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/", "/"),
        ("//", "/"),
        ("/a/", "/a"),
        ("/A/B/", "/a/b"),
        ("/a//b", "/a/b"),
        ("/Gr%C3%B6%C3%9Fe", "/größe"),
        ("/ÄA", "/Äa"),
        ("/a%20b", "/a%20b"),
        ("/a b", "/a%20b"),
        ("/100%25", "/100%25"),
        ("/what%3f", "/what%3F"),
    ],
)
def test_one_form_for_all_spellings(text: str, path: str):
    assert read_path(text, RULES) == path


def test_rules_can_be_off_and_prefixes_exempt():
    assert read_path("/A/", PathRules(lowercase=False, strip_slash=False)) == "/A/"
    exempt = PathRules(exempt=("/api/",))
    assert read_path("/api/V1/", exempt) == "/api/V1/"
    assert read_path("/Other/", exempt) == "/other"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a", "begins with /"),
        ("", "begins with /"),
        ("https://example.com/a", "begins with /"),
        ("/a?b=1", "without"),
        ("/a#b", "without"),
        ("/a%0d%0aSet-Cookie: x", "control character"),
        ("/a\x00", "control character"),
        ("/a/../b", r"\. or \.\."),
        ("/a/%2e%2e/b", r"\. or \.\."),
        ("/a%5cb", "backslash"),
        ("/%ff", "UTF-8"),
        ("/" + "a" * 3_000, "too long"),
    ],
)
def test_what_no_page_can_have_is_refused(text: str, reason: str):
    with pytest.raises(InvalidInput, match=reason):
        read_path(text, RULES)


@given(st.text(max_size=20).map(lambda text: f"/{text}"))
def test_a_path_that_is_read_again_stays_the_same(text: str):
    for rules in (RULES, PathRules(False, False), PathRules(exempt=("/a", "/A/"))):
        try:
            once = read_path(text.replace("%", "%25").replace("?", "%3F").replace("#", "%23"), rules)
        except InvalidInput:
            continue
        assert read_path(once, rules) == once
        assert stored(decoded(once)) == once
        assert rules.key(decoded(once)) == decoded(once)
        assert for_header(once).isascii()
        assert not set(for_header(once)) & set("\r\n \t")


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Größe & Farbe", "grosse-farbe"),
        ("  Café No. 5!", "cafe-no-5"),
        ("日本", "untitled"),
        ("a" * 200, "a" * 80),
        ("a" * 79 + " b", "a" * 79),
    ],
)
def test_a_title_becomes_a_slug(title: str, slug: str):
    assert slug_of(title) == slug


def test_a_path_has_the_words_of_its_last_part():
    assert words_of("/shop/Red-shoe_2.html") == "red shoe 2"
    assert words_of("/") == ""
