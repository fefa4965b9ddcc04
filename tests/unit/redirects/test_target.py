"""Targets: paths of the same site, never an open redirect, and queries that are kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.redirects.target import location, merged, read_target
from outrider.sites.paths import PathRules, for_header

RULES = PathRules()


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("/b", "/b"),
        ("/B/", "/b"),
        ("/b?x=1#part", "/b?x=1#part"),
        ("https://shop.example/B?x=1", "/b?x=1"),
        ("https://SHOP.example", "/"),
    ],
)
def test_a_target_on_the_same_site_is_a_path(text: str, target: str):
    assert read_target(text, RULES, {"shop.example"}).text == target


@pytest.mark.parametrize(
    "text",
    [
        "//evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "https:evil.example",
        "https:///evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://user@evil.example/",
        "/a\r\nSet-Cookie: x=1",
        "/a\tb",
        "/%0d%0aSet-Cookie:x",
        "evil.example",
        "/" + "a" * 5_000,
        "",
    ],
)
def test_no_open_redirect_and_no_header_injection(text: str):
    with pytest.raises(InvalidInput):
        read_target(text, RULES, {"shop.example"}, may_leave=True)


def test_another_site_needs_a_choice():
    with pytest.raises(InvalidInput, match="another site"):
        read_target("https://other.example/x", RULES)
    assert (
        read_target("https://other.example/X?a=1", RULES, may_leave=True).text
        == "https://other.example/X?a=1"
    )


@given(st.text(max_size=30))
def test_whatever_is_accepted_stays_on_the_site_and_in_one_header_line(text: str):
    try:
        target = read_target(f"/{text}", RULES)
    except InvalidInput:
        return
    header = location(for_header(target.text), "")
    assert header.startswith("/")
    assert not header.startswith(("//", "/\\"))
    assert header.isascii()
    assert not set(header) & set("\r\n \t\x00")


@pytest.mark.parametrize(
    ("target", "query", "header"),
    [
        ("/b", "", "/b"),
        ("/b", "x=1", "/b?x=1"),
        ("/b?x=1", "y=2", "/b?x=1&y=2"),
        ("/b?x=1", "x=9&y=2", "/b?x=1&x=9&y=2"),
        ("/b", 'a=$uri"<b>', '/b?a=$uri"<b>'),
        ("/b", "a=\xc3\xbc", "/b?a=%C3%BC"),
        ("/b?x=1#part", "y=2", "/b?x=1&y=2#part"),
        ("/b", "a=\r\nSet-Cookie: x", "/b?a=%0D%0ASet-Cookie:%20x"),
        ("/b", "A=B%20c", "/b?A=B%20c"),
    ],
)
def test_the_query_of_the_visitor_is_kept(target: str, query: str, header: str):
    assert location(target, query) == header


def test_two_queries_become_one():
    assert merged("a=1", "b=2") == "a=1&b=2"
    assert merged("", "x") == "x"
    assert merged("x", "") == "x"
