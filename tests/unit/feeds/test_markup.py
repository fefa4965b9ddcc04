"""The tolerant reading of XML."""

import pytest

from outrider.feeds.limits import MAX_DEPTH
from outrider.feeds.markup import Element, read_markup


def outline(element: Element) -> str:
    """The tree as one line: name(children)."""
    inside = " ".join(outline(child) for child in element.children)
    return f"{element.name}({inside})" if inside else element.name


def read(source: str) -> Element:
    return read_markup(source, most_entries=100)


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        pytest.param("<rss><channel><item/></channel></rss>", "rss(channel(item))", id="sound"),
        pytest.param("<rss><channel><item>", "rss(channel(item))", id="nothing closed"),
        pytest.param("<rss><a><b></a></rss>", "rss(a(b))", id="closed in the wrong order"),
        pytest.param("<rss></x><a/></rss>", "rss(a)", id="closed but never opened"),
        pytest.param("<item><link>a<item><link>b", "item(link) item(link)", id="an item ends the one before"),
        pytest.param("<item><title>a<item><link>b", "item(title) item(link)", id="even inside a title"),
        pytest.param("<item><title>1 < 2</title><link/></item>", "item(title link)", id="a bare bracket"),
        pytest.param("<item><title>a <b>b</title><link/></item>", "item(title link)", id="markup in a title"),
        pytest.param("<title><title>a</title></title><b/>", "title b", id="a title in a title"),
        pytest.param("<!-- <a> --><?x <b> ?><c/>", "c", id="comments and instructions"),
        pytest.param('<!DOCTYPE rss [<!ENTITY a "<b>">]><c/>', "c", id="a document type"),
        pytest.param("<a><![CDATA[<b></a>]]><c/></a>", "a(c)", id="CDATA"),
        pytest.param("<A><B/></a><C/>", "a(b) c", id="capitals"),
        pytest.param("text only", "", id="no markup"),
    ],
)
def test_the_tree_of_a_document(source, tree):
    assert " ".join(outline(child) for child in read(source).children) == tree


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ('<a href="/x?a=1&amp;b=2"/>', {"href": "/x?a=1&b=2"}),
        ("<a href='/x' REL=self>", {"href": "/x", "rel": "self"}),
        ('<a b = "1" b="2">', {"b": "1"}),
        ('<a title="a > b">', {"title": "a > b"}),
        ("<a checked>", {}),
    ],
)
def test_attributes_are_read(tag, attributes):
    assert read(tag).children[0].attributes == attributes


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ('<x:creator xmlns:x="http://purl.org/dc/elements/1.1/"/>', "dc:creator"),
        ('<atom:link xmlns:atom="http://www.w3.org/2005/Atom"/>', "link"),
        ('<a:entry xmlns:a="http://purl.org/atom/ns#"/>', "entry"),
        ('<title xmlns="http://example.com/of-my-own"/>', "title"),
        ("<dc:creator/>", "dc:creator"),
        ("<atom:link/>", "link"),
        ("<my:thing/>", "my:thing"),
    ],
)
def test_names_do_not_depend_on_the_prefix(source, name):
    assert read(source).children[0].name == name


def test_base_and_language_hold_for_all_within():
    document = read('<feed xml:base="http://a/" xml:lang="fr"><entry xml:base="b/"><link/></entry></feed>')
    link = document.children[0].children[0].children[0]

    assert link.base == ("http://a/", "b/")
    assert link.language == "fr"


def test_depth_and_number_of_entries_end():
    deep = read("<a>" * 10_000)
    depth = 0
    while deep.children:
        deep = deep.children[0]
        depth += 1
    many = read("<item/>" * 1000)

    assert depth == MAX_DEPTH
    assert len(many.children) == 101
