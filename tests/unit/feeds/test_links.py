"""Which address is meant."""

import pytest

from outrider.feeds.links import link_to, links_of, page_link
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
