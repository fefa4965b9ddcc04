"""Pages that nest deeper than they look, and honest ones that only look deep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from outrider.extract.tree.bounds import bounded
from outrider.extract.tree.nesting import MAX_DEPTH

# <html>, <body>, and what the standard puts between the tags that a page has.
IMPLIED = 60


def depth_of(tree):
    deepest = 0
    level = [tree.root]
    while level:
        deepest += 1
        level = [child for node in level for child in node.iter(include_text=False)]
    return deepest


DISGUISES = {
    "a comment": b"<div><!--</div>-->",
    "a comment that ends with a bang": b"<div><!--</div>--!>",
    "its own tag": b"<div </div>",
    "quotes": b'<div a="</x></div>">',
    "quotes behind a quote in a name": b'<div "a="</div>">',
    "a declaration": b"<div><!x</div>",
    "an instruction": b"<div><?x</div>",
    "a closing tag without a name": b"<div></ </div>",
    "character data": b"<div><![CDATA[</div>]]>",
    "character data of a drawing": b"<svg><g><![CDATA[></g></svg>]]>",
    "a script": b"<div><script></div></script>",
    "a script in a script": b"<div><script><!--<script></script></div></script>--></script>",
    "a style sheet": b"<div><style></div></style>",
    "a text field": b"<div><textarea></div></textarea>",
    "a title": b"<div><title></div></title>",
    "an example": b"<div><xmp></div></xmp>",
    "a frame": b"<div><iframe></div></iframe>",
    "an object": b"<div><object></div></object>",
    "a cell": b"<table><td><div><table><td></div>",
    "a template": b"<div><template></div></template>",
    "a choice": b"<div><select></div></select>",
    "a formula": b"<div><math><mi></div></mi></math>",
    "a drawing": b"<div><svg><desc></div></desc></svg>",
    "a block": b"<span><div></span>",
    "a block that adopts": b"<b><div></b>",
    "a block that is no form": b"<form><div></form>",
    "another heading": b"<h1><div><h2></h1>",
    "the end of the body": b"<div></body></html>",
    "a list in a list": b"<li><dd>",
    "no ruby": b"<rt>",
    "void elements of a drawing": b"<svg><wbr>",
    "links of a drawing": b"<svg><a href=x>",
    "frames": b"<frameset>",
    "parts of a table": b"<table><td>",
    "a bracket before": b"<<div>div>",
}


@pytest.mark.parametrize("unit", [pytest.param(unit, id=name) for name, unit in DISGUISES.items()])
def test_depth_cannot_hide_behind(unit):
    assert depth_of(LexborHTMLParser(bounded(unit * 6_000))) <= MAX_DEPTH + IMPLIED


@pytest.mark.parametrize(
    "unit", [b"<template><div>", b"<template><div><!--</div></template>-->", b"<div><<div>template>"]
)
def test_what_a_template_holds_is_not_read_as_tags(unit):
    assert LexborHTMLParser(bounded(unit * 6_000)).css_first("template") is None


def test_what_stands_before_the_depth_stays_and_so_do_the_links_behind_it():
    page = b"<title>before</title>" + b"<div><!--</div>-->" * 6_000 + b"<a href=/after>after</a>"

    tree = LexborHTMLParser(bounded(page))

    assert tree.css_first("title").text() == "before"
    assert tree.css_first("a").attributes == {"href": "/after"}


HONEST = {
    "unclosed paragraphs": b"<p>one<p>two" * 5_000,
    "unclosed items": b"<ul>" + b"<li>one" * 6_000 + b"</ul>",
    "unclosed cells": b"<table>" + b"<tr><td>one<td>two" * 6_000 + b"</table>",
    "unclosed spans": b"<div><span>one<span>two</div>" * 3_000,
    "blocks in comments": b"<div><!-- <div><p>old --></div>" * 3_000,
    "markup in scripts": b"<script>a = '<div><ul>'; for (i=0;i<n;i++) b();</script>" * 3_000,
    "a table of 6,000 rows": b"<table>" + b"<tr><td><b>x</b></td></tr>" * 6_000 + b"</table>",
    "stray closing tags": b"<div>x</div></div></span>" * 3_000,
    "a drawing of many paths": b"<svg>" + b'<path d="M1 2"/>' * 6_000 + b"</svg>",
    "formatting around blocks": b"<b><div>x</b></div>" * 3_000,
}


@pytest.mark.parametrize("page", [pytest.param(page, id=name) for name, page in HONEST.items()])
def test_an_honest_page_stays_as_it_is(page):
    assert bounded(page) == page


NAMES = (
    b"div span p b i a nobr font form h1 h2 li dd ul table tr td caption button select option object svg "
    b"math mi g desc foreignObject title script style textarea xmp iframe noembed noframes noscript template "
    b"body html head frameset rt ruby wbr input plaintext"
).split()
ODDITIES = b"<!-- --> --!> <!x <?x </ <![CDATA[ ]]> > < \" ' = / x <div <div\ta=\" <div\t'a='".split(b" ")
PIECES = [form % name for name in NAMES for form in (b"<%b>", b"</%b>", b"<%b/>", b"<%b x=1>")] + ODDITIES


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map(b"".join))
def test_no_soup_of_tags_is_deeper_than_allowed(soup):
    page = soup * (1 + 5_500 // max(1, soup.count(b"<")))

    assert depth_of(LexborHTMLParser(bounded(page))) <= MAX_DEPTH + IMPLIED
