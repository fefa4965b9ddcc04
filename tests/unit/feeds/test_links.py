"""Which address is meant."""

import pytest

from outrider.feeds.links import link_to, links_of, page_link, web_address
from outrider.feeds.markup import read_markup

BASE = "https://site.example/blog/"


def links(source: str):
    return links_of(read_markup(source, most_entries=1), BASE)


@pytest.mark.parametrize(
    ("source", "link"),
    [
        ("<link>https://a.example/</link>", "https://a.example/"),
        ("<link href='/a'/>", "https://site.example/a"),
        ("<link rel='self' href='/s'/><link href='/a'/>", "https://site.example/a"),
        (
            "<link rel='alternate' type='application/json' href='/j'/><link href='/a'/>",
            "https://site.example/a",
        ),
        ("<link rel='alternate' type='application/json' href='/j'/>", "https://site.example/j"),
        ("<atom:link href='/self'/><link>/plain</link>", "https://site.example/plain"),
        ("<link>javascript:alert(1)</link><link>/b</link>", "https://site.example/b"),
        ("<link xml:base='https://other.example/x/' href='a'/>", "https://other.example/x/a"),
        (
            "<link rel='http://www.iana.org/assignments/relation/alternate' href='/a'/>",
            "https://site.example/a",
        ),
        ("<link rel='edit' href='/a'/>", None),
        ("<link></link>", None),
    ],
)
def test_the_page_among_several_links(source, link):
    assert page_link(links(source)) == link


def test_other_relations_are_found_by_name():
    found = links("<link rel='hub' href='https://hub.example/'/><link rel='self' href='feed.xml'/>")

    assert link_to(found, "hub") == "https://hub.example/"
    assert link_to(found, "self") == "https://site.example/blog/feed.xml"
    assert link_to(found, "next") is None


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("https://A.example/B?utm_source=x#y", "https://A.example/B?utm_source=x#y"),
        (" /a b\n", "https://site.example/a%20b"),
        ("post.html#top", "https://site.example/blog/post.html#top"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("?page=2", "https://site.example/blog/?page=2"),
        ("file:///etc/passwd", None),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("mailto:a@b.example", None),
        ("http://", None),
        ("https://user:secret@a.example/", None),
        ("https://a.example/" + "x" * 9000, None),
        ("", None),
        (None, None),
    ],
)
def test_an_address_is_absolute_and_of_the_web_or_none(written, address):
    assert web_address(written, BASE) == address
