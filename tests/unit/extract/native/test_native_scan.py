"""The compiled scan reads every page as the reference does, or leaves it to the reference."""

import gzip
import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.subjects import CORPUS

from outrider.extract.native.library import Library, Outcome, Reason
from outrider.extract.scan import MAX_LINKS, reference_scan, scan

URL = "https://example.com/articles/a-page"
UTF8 = "text/html; charset=utf-8"
WRITTEN = Path(__file__).parents[4] / "benchmarks" / "pages"
# A folder with pages, packed or not, for who has one.
MORE_PAGES = os.environ.get("OUTRIDER_TEST_PAGES", "")

NAMES = (
    # The first ones are those that are nested in most ways.
    *("a", "b", "i", "p", "div", "span", "ul", "li", "table", "tr", "td", "th", "tbody", "caption", "col"),
    *("colgroup", "form", "input", "select", "option", "button", "h1", "h2", "pre", "textarea", "title"),
    *("script", "style", "noscript", "svg", "g", "desc", "template", "nav", "header", "main", "section"),
    *("dl", "dt", "dd", "br", "hr", "img", "x-y", "object", "em", "font", "nobr", "center", "label"),
    *("dialog", "marquee", "xmp", "base", "link", "meta", "html", "head", "body", "ruby", "rt", "iframe"),
)
TEXTS = (
    "x",
    "y z",
    " ",
    "\n",
    "&amp;",
    "&nbsp;",
    "&#10;",
    "é",
    "漢字",
    "<",
    "</",
    "<!-- c -->",
    "<![CDATA[x]]>",
    "\r",
)
ATTRIBUTES = (
    "",
    "",
    "",
    " href=/a",
    ' href="b&amp;c" rel=nofollow',
    " name=robots content=noindex",
    " lang=de",
)

tag = st.builds(
    lambda closes, name, attributes: f"</{name}>" if closes else f"<{name}{attributes}>",
    st.booleans(),
    st.sampled_from(NAMES),
    st.sampled_from(ATTRIBUTES),
)
soup = st.lists(st.one_of(tag, tag, st.sampled_from(TEXTS)), max_size=60).map("".join)


def same(body: bytes, content_type: str | None = UTF8) -> bool:
    return scan(body, URL, content_type) == reference_scan(body, URL, content_type)


@pytest.mark.parametrize("page", sorted(WRITTEN.glob("*.html")), ids=lambda page: page.stem)
def test_a_written_page_is_read_by_it_and_as_the_reference_does(library: Library, page: Path) -> None:
    body = page.read_bytes()

    assert library.scan(body, MAX_LINKS).outcome == Outcome.SCANNED
    assert same(body, None)


@pytest.mark.parametrize("folder", ["native", "pages"])
def test_examples_of_the_fuzzer_are_read_the_same(library: Library, folder: str) -> None:
    examples = sorted((CORPUS / folder).iterdir())

    assert [each.name for each in examples if not same(each.read_bytes())] == []


@pytest.mark.skipif(not MORE_PAGES, reason="OUTRIDER_TEST_PAGES names no folder with more pages")
def test_pages_of_a_corpus_are_read_the_same_and_hardly_one_by_the_reference(library: Library) -> None:
    pages = [file.read_bytes() for file in sorted(Path(MORE_PAGES).rglob("*.html*"))]
    bodies = [gzip.decompress(page) if page.startswith(b"\x1f\x8b") else page for page in pages]

    assert [nth for nth, body in enumerate(bodies) if not same(body, None)] == []
    unusual = sum(library.scan(body, MAX_LINKS).outcome == Outcome.UNUSUAL for body in bodies)
    assert unusual <= len(bodies) * 0.03


@given(soup)
@settings(max_examples=400, derandomize=True, deadline=None, database=None)
def test_any_soup_of_tags_is_read_the_same(html: str) -> None:
    assert same(html.encode())


def test_long_soups_are_read_the_same() -> None:
    dice = random.Random(5)
    for _ in range(60):
        tags = [f"<{dice.choice(('/', ''))}{dice.choice(NAMES[:24])}>" for _ in range(400)]
        html = "".join(f"{each}{dice.choice(TEXTS[:4])}" for each in tags)
        assert same(html.encode())


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<p>a\0b", Reason.HAS_NUL),
        ("<table>moved<tr><td>x</table>", Reason.FOSTERED),
        ("<table><div>moved</div></table>", Reason.FOSTERED),
        ("<frameset><frame></frameset>", Reason.FRAMES),
        ("a<math><mi>x</mi></math>b", Reason.MATH),
        ("<svg><foreignObject><p>x</p></foreignObject></svg>", Reason.FOREIGN),
        ("a<plaintext>b</plaintext>", Reason.PLAIN_TEXT),
        ("a<?target data>b", Reason.INSTRUCTION),
        ("<b><x-y><div>a</b>b</div>c</x-y>", Reason.REMOVED_BLOCK),
        ("<table>&#32;<tr><td>x</table>", Reason.REFERENCE_BETWEEN),
        ('<!doctype html public "-//IETF//DTD HTML//"><p>a<table>', Reason.OLD_DOCTYPE),
        ("<template><math></template>", Reason.TEMPLATE_CONTENT),
        ("<div>" * 500, Reason.TOO_DEEP),
        ("".join(f"<b id={n}>x" for n in range(100)), Reason.TOO_MANY_FORMATS),
    ],
)
def test_what_would_move_text_about_is_left_to_the_reference(
    library: Library, html: str, reason: Reason
) -> None:
    read = library.scan(html.encode(), MAX_LINKS)

    assert (read.outcome, Reason(read.reason)) == (Outcome.UNUSUAL, reason)
    assert same(html.encode())


def test_bytes_that_are_no_utf8_are_left_to_the_reference(library: Library) -> None:
    for body in (b"a\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"x\xe2\x82"):
        assert library.scan(body, MAX_LINKS).reason == Reason.NOT_UTF8
        assert same(body)


@pytest.mark.parametrize(
    "html",
    [
        "<a " + "x " * 9000 + "href=/crowded>y</a>",  # a crowded tag
        "<p>" + "<i class=a>x</i>" * 800,  # many tags, one kind of formatting
        "<p>" + "".join(f'<i class="{n}">x</i>' for n in range(800)),  # and many kinds
        "<p>" + "".join(f'<b title="a>{n}">x</b>' for n in range(800)),  # which do not end where they seem to
        "<p>a</p><template><a href=/t>b</a></template>" + "<p>c</p>" * 3000,  # templates are text here
        "<body a=1>" * 20 + "<p>c</p>" * 3000,
        "<select>" + "<option>a</option>" * 5000 + "</select>b",
        "<p>" + "&" * 900_000 + "<i>b</i>" * 3000,  # it grows when it is written out
        "x" * 70_000 + '<a title="' + "y" * 20_000 + '" href=/long>z</a>',
    ],
    ids=range(9),
)
def test_pages_at_the_bounds_are_read_the_same(html: str) -> None:
    assert same(html.encode())


def test_links_beyond_the_limits_are_left_out_as_in_the_reference() -> None:
    many = "".join(f"<a href=/{n} rel={'nofollow' if n % 2 else 'x'}>" for n in range(1500))
    long = f"<a href=/{'é' * 8192}><a href=/{'é' * 8191}>"

    assert same((long + many).encode())


def test_a_page_that_needs_its_heading_gets_a_tree_for_it() -> None:
    html = b"<title>Site</title><h1>A page of <b>news</b> articles</h1><p>text"
    url = "https://example.com/articles-news-page-heading"

    assert scan(html, url, UTF8) == reference_scan(html, url, UTF8)
    assert scan(html, url, UTF8).title == "A page of news articles"
