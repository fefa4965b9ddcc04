"""Namespaces."""

from outrider.feeds.names import NamespaceScope


def test_an_inner_declaration_hides_the_outer_one():
    outer = NamespaceScope({"x": "http://purl.org/dc/elements/1.1/"})
    inner = outer.with_prefixes({"x": "http://search.yahoo.com/mrss/"})

    assert outer.name("x:title") == "dc:title"
    assert inner.name("x:title") == "media:title"


def test_slashes_and_schemes_do_not_matter():
    for uri in (
        "http://www.w3.org/2005/Atom",
        "https://www.w3.org/2005/Atom/",
        " HTTP://WWW.W3.ORG/2005/ATOM ",
    ):
        assert NamespaceScope({"a": uri}).name("a:Entry") == "entry"
