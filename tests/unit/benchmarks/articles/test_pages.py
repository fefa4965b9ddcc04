"""Which half a page belongs to, and what it is called."""

import pytest
from benchmarks.articles.pages import SOMEWHERE, Half, address_of, half_of


@pytest.mark.parametrize(
    ("name", "half"),
    [("lwn-1", Half.SEEN), ("story.html", Half.SEEN), ("heise", Half.UNSEEN), ("750g", Half.UNSEEN)],
)
def test_a_page_stays_in_its_half_whatever_else_there_is(name, half):
    assert half_of(name) == half


@pytest.mark.parametrize(
    ("html", "address"),
    [
        ("<link rel=canonical href='https://a.test/1'>", "https://a.test/1"),
        ("<link rel=canonical href='/1'><meta property='og:url' content='http://b.test/'>", "http://b.test/"),
        ("<link rel=canonical><meta property='og:url'>", SOMEWHERE),
        ("", SOMEWHERE),
    ],
)
def test_a_page_says_its_address_or_has_one_that_says_nothing(html, address):
    assert address_of(html) == address
