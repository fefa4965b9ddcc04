"""The fast path."""

import pytest

from outrider.extract import scan
from outrider.extract.scan import MAX_LINKS, MAX_TEXT
from outrider.hrefs import Hrefs

pytestmark = pytest.mark.usefixtures("each_scan")

URL = "https://example.com/dir/page"
PAGE = b"""<!doctype html>
<html lang="de-at"><head><meta charset="utf-8">
<title> A
 title </title>
<meta name="description" content="What it &amp; others say">
<link rel="canonical" href="/canonical">
<style>p { color: red }</style>
</head><body>
<header><a href="/">Home</a></header>
<nav><a href="/menu">Menu</a></nav>
<main><h1>Heading</h1>
<p>Some <b>bold</b> words, <a href="next?b=1" rel="nofollow">a link</a>.</p>
<noscript>Turn scripts on</noscript><script>var hidden = 1</script><svg><text>drawn</text></svg>
</main>
<footer>Imprint</footer>
</body></html>"""


def test_a_page_in_one_pass():
    page = scan(PAGE, URL)

    assert (page.title, page.description, page.language) == ("A title", "What it & others say", "de-AT")
    assert (page.base, page.canonical, page.charset) == (URL, "/canonical", "utf-8")
    assert page.links.with_nofollow() == {"/canonical": False, "/": False, "/menu": False, "next?b=1": True}
    assert page.text == "Heading\nSome bold words, a link."
    assert page.words == 6
    assert (page.noindex, page.nofollow) == (False, False)


def test_links_that_stay_on_the_page_lead_nowhere():
    assert scan(b"<a href=#top>up</a><a href=''>here</a><a href=/x>x</a>", URL).links == Hrefs.of(
        {"/x": False}
    )


def test_the_base_is_honoured_and_resolved_against_the_page():
    assert scan(b"<base target=_blank><base href='../up/'><a href=x>", URL).base == "https://example.com/up/"


@pytest.mark.parametrize(
    ("html", "header", "noindex", "nofollow"),
    [
        ("<meta name=robots content=noindex>", None, True, False),
        ("<meta name=ROBOTS content='none'>", None, True, True),
        ("<meta name=outrider content=nofollow>", None, False, True),
        ("<meta name=googlebot content=noindex>", None, False, False),
        ("<meta name=robots content=noindex><meta name=outrider content=index>", None, True, False),
        ("", "noindex", True, False),
        ("<meta name=robots content=noindex>", "outrider: nofollow", True, True),
        ("", "googlebot: noindex", False, False),
        ("", None, False, False),
    ],
)
def test_what_a_page_asks_of_crawlers(html, header, noindex, nofollow):
    page = scan(html.encode(), URL, x_robots_tag=header, agent="Outrider/0.1")

    assert (page.noindex, page.nofollow) == (noindex, nofollow)


def test_an_old_encoding_is_read():
    page = scan("<title>Съешь</title>".encode("cp1251"), URL, "text/html; charset=windows-1251")

    assert (page.title, page.charset) == ("Съешь", "windows-1251")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            "like the <a href=/posix>POSIX</a> <code>errno</code> <i>variable</i>.",
            "like the POSIX errno variable.",
        ),
        ("foo<b>bar</b>", "foobar"),
        ("<b>foo</b><i>bar</i>", "foobar"),
        ("<b>foo</b> <i>bar</i>", "foo bar"),
        ("<b>foo</b>\n\n   <i>bar</i>", "foo bar"),
        ("<span>foo </span><span> bar</span>", "foo bar"),
        ("H<sub>2</sub>O, x<sup>2</sup>", "H2O, x2"),
        ("foo<!-- a comment -->bar", "foobar"),
        ("foo<img src=a.png>bar<wbr>baz", "foobarbaz"),
        ("foo<script>x()</script>bar<svg><text>drawn</text></svg>", "foobar"),
        ("5<meta itemprop=priceCurrency content=EUR> euros", "5 euros"),
        ("with <math><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math> here", "with x2 here"),
        ("<a><b><i>deep</i></b></a><u>er</u>", "deeper"),
    ],
)
def test_inline_elements_do_not_break_lines(html, text):
    """EXT-01."""
    assert scan(f"<p>{html}</p>".encode(), URL).text == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ul><li>one<li>two</ul><p>three</p>", "one\ntwo\nthree"),
        ("foo<br>bar<hr>baz", "foo\nbar\nbaz"),
        ("before<p>inside</p>after", "before\ninside\nafter"),
        ("<a href=/x><div>card</div></a>after", "card\nafter"),
        ("<div><b>one</b></div><b>two</b>", "one\ntwo"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc"),
        ("before<nav>menu</nav>after", "before\nafter"),
        ("<dl><dt>term<dd>meaning</dl>", "term\nmeaning"),
        ("<my-card>one</my-card><my-card>two</my-card>", "one\ntwo"),
        ("<p>&nbsp;</p><p>one</p><p> </p><p>two", "one\ntwo"),
    ],
)
def test_words_of_neighbouring_blocks_stand_on_lines_of_their_own(html, text):
    assert scan(html.encode(), URL).text == text


def test_only_the_lines_of_preformatted_text_are_those_of_the_source():
    html = b"<p>one\n  line\tof&nbsp; text</p><pre>\nfirst\n\n  <b>second</b> line\n<pre>third\n</pre></pre>"

    assert scan(html, URL).text == "one line of text\nfirst\nsecond line\nthird"


def test_menus_in_headers_in_footers_are_taken_out_of_the_text_once():
    html = b"<footer><header><nav>x<svg>y</svg></nav></header></footer>" * 50 + b"<p>text"

    assert scan(html, URL).text == "text"


def test_a_page_of_links_yields_the_first_thousand():
    html = b"".join(b"<a href=/%d>x</a>" % number for number in range(5000))

    links = scan(html, URL).links

    assert len(links) == MAX_LINKS
    assert list(links)[-1] == "/999"


def test_the_crawl_goes_on_to_canonical_and_alternate_addresses_and_first():
    """EXT-02."""
    html = (
        b"<link rel=canonical href=/c><link rel=alternate hreflang=de href=/de>"
        b"<a href=/a rel=nofollow>a</a><a href=/de rel=nofollow>de</a>"
    )

    assert list(scan(html, URL).links.with_nofollow().items()) == [
        ("/c", False),
        ("/de", False),
        ("/a", True),
    ]


def test_what_a_page_declares_as_its_feed_is_no_page_to_go_to():
    """An alternate in another language is; a feed is not, wherever on the page it is linked."""
    html = (
        b"<link rel=alternate type=application/rss+xml href=/rss>"
        b"<link rel='alternate home' type='application/atom+xml; charset=utf-8' href=https://a.test/atom>"
        b"<link rel=alternate type=text/xml href=/feed.xml>"
        b"<link rel=alternate type=text/xml href=/other.xml>"
        b"<link rel=alternate type=text/html hreflang=de href=/de>"
        b"<a href=/rss>RSS</a><a href=/a>a</a>"
    )

    assert list(scan(html, URL).links) == ["/other.xml", "/de", "/a"]


def test_what_the_head_refers_to_counts_among_the_thousand():
    html = b"".join(b"<a href=/%d>x</a>" % number for number in range(5000))

    links = scan(b"<link rel=next href=?p=2>" + html, URL).links

    assert (len(links), next(iter(links))) == (MAX_LINKS, "?p=2")


def test_text_has_an_end():
    assert len(scan(b"<p>" + b"longer " * 1_000_000, URL).text) == MAX_TEXT


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x00" * 1000, id="zeros"),
        pytest.param(b"<frameset><frame src=/a></frameset>", id="frames and no body"),
        pytest.param(b"<div>" * 100_000, id="nothing but nesting"),
        pytest.param(b"<nav>" * 100_000, id="nothing but menus"),
        pytest.param(b"<a href=" * 300_000, id="a link that never ends"),
        pytest.param(b"<a href='x" * 300_000, id="a quote that never ends"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, id="a picture"),
    ],
)
def test_hostile_pages_yield_something_empty(html):
    page = scan(html, URL)

    assert page.title is None
    assert len(page.links) <= 1
