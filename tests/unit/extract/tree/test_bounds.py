"""Pages that are made to hurt a parser."""

import pytest

from outrider.extract.tree.bounds import MAX_ATTRIBUTES, MAX_HTML_BYTES, MAX_TAGS, bounded
from outrider.extract.tree.nesting import MAX_DEPTH
from outrider.extract.tree.parse import parse


def depth_of(html):
    deepest = depth = 0
    node = parse(html).root
    while node is not None:
        depth += 1
        deepest = max(deepest, depth)
        node = node.last_child
    return deepest


def test_an_ordinary_page_is_not_even_copied():
    page = b"<html><body>" + b'<div class=a><p>text <i class="icon"></i> <b>bold</b></p></div>' * 100

    assert bounded(page) is page


def test_a_long_and_regular_page_stays_as_it_is():
    page = b"<table>" + b'<tr><td><a href="/x"><b class=y>cell</b></a><br></td></tr>' * 3000 + b"</table>"

    assert bounded(page) == page


def test_formatting_without_attributes_repeats_nothing_and_stays():
    page = b"<p>see <code>this</code>, <em>that</em> and <strong>those</strong></p>" * 500

    assert bounded(page) is page


@pytest.mark.parametrize("tag", [b"div", b"b", b"DIV", b"ul", b"custom-element", b"font size=1", b"table"])
def test_depth_has_a_floor(tag):
    assert depth_of((b"<" + tag + b">") * 50_000) < MAX_DEPTH + 100


def test_what_stands_below_the_floor_is_kept_flat():
    page = b"<div>" * 10_000 + b"<a href=/deep>deep</a>" + b"</div>" * 10_000 + b"<p>after</p>"

    tree = parse(page)

    assert tree.css_first("a").attributes == {"href": "/deep"}
    assert tree.css_first("body > p").text() == "after"


@pytest.mark.parametrize(
    "unclosed",
    [
        pytest.param(b"<b id=%d><p>x", id="openly"),
        pytest.param(b"<b id=%d><p>x<!--</b></p>-->", id="closed in a comment"),
        pytest.param(b"<b id=%d><p title='</b></p>'>x", id="closed in quotes"),
        pytest.param(b"<b id=%d><p>x<object></b></p></object>", id="closed where it does not count"),
        pytest.param(b'<b id="<%d"><p>x', id="told apart behind a bracket"),
        pytest.param(b'<b id=">%d"><p>x', id="told apart behind its end"),
    ],
)
def test_formatting_that_is_never_closed_does_not_multiply(unclosed):
    page = b"".join(unclosed % number for number in range(6_000))

    assert sum(1 for _ in parse(page).root.traverse()) < 600_000


def test_a_manual_full_of_code_stays_as_it_is():
    page = b"".join(
        b'<p><code class="language-%d">x</code> <i class="icon"></i></p>' % (number % 9)
        for number in range(800)
    )

    assert bounded(page) == page


@pytest.mark.parametrize("before", [b"<a ", b"<p>text</p><img ", b"<i>" * 100 + b"<div "])
def test_a_tag_crowded_with_attributes_is_dropped(before):
    crowded = before + b" ".join(b"a%d=1" % number for number in range(MAX_ATTRIBUTES * 50)) + b">"

    assert len(bounded(crowded + b"<p>after")) < len(before) + 20


@pytest.mark.parametrize("attribute", [b"a<%d", b'a%d=">"', b"a%d = '>'", b'a%d<x=">"', b'"a%d=">"', b"<a%d"])
def test_brackets_do_not_hide_a_crowd_of_attributes(attribute):
    attributes = b" ".join(attribute % number for number in range(20_000))

    assert len(bounded(b"before<div " + attributes + b">after")) < 100


def test_a_long_tag_with_few_attributes_stays():
    drawing = b'<path d="' + b"M1 2 " * 20_000 + b'" fill=">">after'

    assert bounded(drawing) == drawing


@pytest.mark.parametrize("outer", [b"html", b"body"])
def test_attributes_do_not_pile_up_on_the_outermost_elements(outer):
    page = b"".join(b"<%s a%d=1>" % (outer, number) for number in range(100_000))

    assert len(parse(page).css_first(outer.decode()).attributes) <= MAX_DEPTH


def test_a_picture_inlined_in_an_attribute_is_no_crowd():
    page = b"<img src='data:image/svg+xml," + b"M 1 2 / " * 20_000 + b"'><a href=/x>"

    assert bounded(page) == page


def test_a_long_script_is_no_tag():
    page = b"<script>" + b"a = b + c; " * 10_000 + b"</script>"

    assert bounded(page) == page


def test_comparisons_in_scripts_are_not_taken_for_depth():
    page = b"<script>" + b"for(i=0;i<n;i++)if(a<b)c();" * 3000 + b"</script><div><p>kept</p></div>"

    assert parse(page).css_first("div > p").text() == "kept"


@pytest.mark.parametrize(
    "disguise",
    [
        pytest.param(b"<div></x>", id="closing tags that close nothing"),
        pytest.param(b"<x;y><div></x;y>", id="odd names"),
        pytest.param(b"<DIV a='>'>", id="brackets in quotes"),
    ],
)
def test_depth_cannot_be_disguised(disguise):
    assert depth_of(disguise * 50_000) < MAX_DEPTH + 100


@pytest.mark.parametrize(
    "before",
    [
        b"<!-->",
        b"<script-x>",
        b"<svg><title>",
        b"<svg><script>",
        b"<title><script></title>",
        b"<title><!--</title>",
        b"<p title='<script>'>",
    ],
)
def test_depth_cannot_hide_behind_what_looks_like_text(before):
    assert depth_of(before + b"<div>" * 50_000) < MAX_DEPTH + 100


def test_options_without_end_are_no_options():
    page = b"<select>" + b"<option>x" * 50_000 + b"</select>"

    assert len(parse(page).css("option")) < 5_000


def test_a_page_without_end_is_cut():
    assert len(bounded(b"x" * (MAX_HTML_BYTES + 1))) == MAX_HTML_BYTES
    assert bounded(b"<p>" * (MAX_TAGS * 2)) == b"<p>" * MAX_TAGS


def test_plain_formatting_that_is_never_closed_does_not_multiply():
    names = b"b big code em font i nobr s small strike strong tt u".split()
    page = b"<p>" + b"".join(b"<%b>" % name for name in names) * 3 + b"<p>x" * 60_000

    assert sum(1 for _ in parse(page).root.traverse()) < 1_000_000
