"""A page read by selectors, by a template, or by what any page has; each field says which it was."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.extract import extract
from outrider.extract.article.page_type import PageType
from outrider.extract.recipe.model import Method
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.with_selectors import extract_with

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL = "https://example.com/news/2026/04/30/the-bridge-opens"
SENTENCE = "The council met on Tuesday and agreed at last that there would be a bridge. "
PROSE = f"<p>{SENTENCE * 5}</p>"


def read(
    body: str, selectors: dict[str, object] | None = None, template: str | None = None, url: str = URL, **more
):
    return extract_with(body.encode(), url, Selectors.from_json(selectors), template, now=NOW, **more)


def test_without_selectors_the_page_is_what_extract_says():
    """EXT-18: the document is the same, whichever way it was found."""
    body = f"<html lang=en><title>Bridge</title><article><h1>Bridge</h1>{PROSE}{PROSE}</article>".encode()

    found = extract_with(body, URL, now=NOW)

    assert found.page == extract(body, URL, now=NOW)
    assert (found.method, found.page_type) == (Method.READABILITY, PageType.ARTICLE)


TITLES = [
    ("<div class=mine>By selector</div>", "By selector", "selector article.title"),
    (
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "By JSON-LD"}</script>',
        "By JSON-LD",
        "JSON-LD headline",
    ),
    ('<meta property="og:title" content="By Open Graph">', "By Open Graph", "og:title"),
    ("<title>By title</title>", "By title", "<title>"),
    ("<h1>By heading</h1>", "By heading", "<h1>"),
]


@pytest.mark.parametrize("first", range(len(TITLES)))
def test_the_order_of_titles(first):
    """EXT-05: of those that are there, the first."""
    body = "".join(piece for piece, _, _ in reversed(TITLES[first:]))

    found = read(body, {"article": {"title": ".mine"}})

    assert (found.page.title, found.origins["title"]) == TITLES[first][1:]


DATES = [
    ("<b class=mine>2026-04-01</b>", "selector article.published_time"),
    (
        '<meta property="article:published_time" content="2026-04-02T10:00:00Z">',
        "meta article:published_time",
    ),
    ('<meta name="pubdate" content="2026-04-03">', "meta pubdate"),
    (
        '<script type="application/ld+json">{"@type": "Article", "datePublished": "2026-04-04"}</script>',
        "JSON-LD datePublished",
    ),
    ('<div><h1>Bridge</h1><time datetime="2026-04-05">Sunday</time></div>', "date at the headline"),
    ("", "address"),
]


@pytest.mark.parametrize("first", range(len(DATES)))
def test_the_order_of_dates(first):
    """EXT-08."""
    body = "".join(piece for piece, _ in reversed(DATES[first:]))

    found = read(body, {"article": {"published_time": ".mine"}})

    assert found.origins["published_at"] == DATES[first][1]
    assert found.page.published_at == datetime(
        2026, 4, 30 if first == 5 else first + 1, 10 if first == 1 else 0, tzinfo=UTC
    )


def test_a_date_nobody_can_read_is_dropped():
    found = read(
        "<b class=mine>yesterday, or so</b>",
        {"article": {"published_time": ".mine"}},
        url="https://a.example/x",
    )

    assert found.page.published_at is None
    assert "published_at" not in found.origins


def test_a_time_ago_is_a_date():
    found = read("<i>3 hours ago</i>", {"article": {"time_ago": "i"}}, url="https://a.example/x")

    assert found.page.published_at == NOW - timedelta(hours=3)


BODIES = [
    ("body", "selector article.body", f"<div class=c><p>aside</p><div class=b>{PROSE}<u>ad</u></div></div>"),
    ("container", "selector article.container", f"<div class=c>{PROSE}<u>ad</u></div>"),
    ("article", "<article>", f"<article><nav>menu</nav>{PROSE}</article>"),
    ("main", "<main>", f"<main><header>top</header>{PROSE}<footer>end</footer></main>"),
    ("body element", "<body>", f"<nav>menu</nav>{PROSE}<script>var x</script>"),
]


@pytest.mark.parametrize(("origin", "body"), [pytest.param(*case[1:], id=case[0]) for case in BODIES])
def test_the_order_of_bodies(origin, body):
    """EXT-06: what is excluded, and the frame of the page, is no part of the text."""
    found = read(body, {"article": {"container": ".c", "body": ".b", "exclude": ["u"]}})

    assert found.origins["text"] == origin
    assert found.page.text == (SENTENCE * 5).strip()


def test_two_articles_are_a_list_and_not_the_text():
    found = read(
        f"<main><article>{PROSE}</article><article>{PROSE}</article></main>", {"article": {"body": ".none"}}
    )

    assert (found.method, found.origins["text"]) == (Method.HEURISTIC, "<main>")


def test_nested_matches_are_read_once():
    found = read(f"<div class=b><div class=b>{PROSE}</div></div>", {"article": {"body": ".b"}})

    assert found.page.text.count("Tuesday") == 5


@pytest.mark.parametrize(
    ("selectors", "readability", "method"),
    [
        pytest.param(None, None, Method.READABILITY, id="no selectors: it runs"),
        pytest.param(None, False, Method.HEURISTIC, id="switched off"),
        pytest.param({"article": {"body": ".short"}}, None, Method.SELECTOR, id="selectors: what they say"),
        pytest.param(
            {"article": {"body": ".short"}}, True, Method.READABILITY, id="too few words, switched on"
        ),
        pytest.param(
            {"article": {"body": ".none"}}, True, Method.READABILITY, id="nothing found, switched on"
        ),
        pytest.param({"article": {"body": ".none"}}, None, Method.HEURISTIC, id="nothing found"),
        pytest.param({"article": {"body": ".long"}}, True, Method.SELECTOR, id="enough words"),
    ],
)
def test_when_the_text_is_weighed_instead(selectors, readability, method):
    """EXT-11, CON-32."""
    body = f"<title>x</title><div class=short><p>Too few words.</p></div><div class=long>{PROSE}{PROSE}</div>"

    assert read(body, selectors, readability=readability).method is method


def test_a_page_that_is_no_article_is_read_by_its_own_selectors():
    found = read(
        f"<h2 class=t>About us</h2><div class=c>{PROSE}<u>ad</u></div>",
        {"article": {"title": "h1"}, "page": {"title": ".t", "content": ".c", "exclude": ["u"]}},
    )

    assert (found.page.title, found.origins["title"]) == ("About us", "selector page.title")
    assert found.origins["text"] == "selector page.content"
    assert "ad" not in found.page.text.split()


def test_every_other_field_is_read_by_its_selector():
    """EXT-04, EXT-07."""
    names = ("intro", "section", "category", "article_id", "keywords", "og_title", "og_type", "og_site_name")
    body = "".join(f'<b class="{name}">The {name}</b>' for name in names)
    body += '<img class=i src="/a.jpg"><a class=c href="/canonical?utm_source=x">x</a>'
    body += "<i class=w>By Ada Writer</i>"
    selectors = {name: f".{name}" for name in names} | {"image": ".i", "canonical": ".c", "byline": ".w"}

    page = read(body, {"article": selectors}).page

    assert page.metadata.to_json() == {name: f"The {name}" for name in names} | {
        "image": "https://example.com/a.jpg",
        "byline": "By Ada Writer",
    }
    assert page.canonical_url == "https://example.com/canonical"
    assert page.author == "Ada Writer"


def test_metadata_elements_say_what_is_in_their_attributes():
    found = read('<meta name=x content="In the attribute">', {"article": {"title": "meta[name=x]"}})

    assert found.page.title == "In the attribute"


def test_json_ld_is_taken_from_where_the_source_says():
    script = '<script type="application/ld+json" class="{}">{{"@type": "Article", "headline": "{}"}}</script>'
    body = script.format("theirs", "Wrong") + script.format("ours", "Right")

    assert read(body, {"article": {"json_ld": "script.ours"}}).page.title == "Right"


WORDPRESS = (
    '<meta name="generator" content="WordPress 6.4"><title>Bridge – Example</title>'
    f'<article><h1 class="entry-title">Bridge</h1><div class="entry-content">{PROSE}'
    '<div class="sharedaddy">Share this</div></div></article>'
)


def test_a_template_is_used_where_a_source_has_no_selectors():
    """EXT-14."""
    found = read(WORDPRESS)

    assert (found.method, found.template) == (Method.TEMPLATE, "wordpress")
    assert (found.page.title, found.origins["title"]) == ("Bridge", "template wordpress article.title")
    assert "Share" not in found.page.text


@pytest.mark.parametrize(
    ("selectors", "hint", "url", "template"),
    [
        pytest.param(None, "ghost", URL, "ghost", id="what somebody said comes first"),
        pytest.param(None, None, "https://x.medium.com/y", "medium", id="then the domain"),
        pytest.param(None, None, URL, "wordpress", id="then the page"),
        pytest.param(
            {"article": {"title": "h1"}}, None, URL, None, id="a source with selectors needs no guess"
        ),
        pytest.param({"article": {"title": "h1"}}, "drupal", URL, "drupal", id="unless it asks for one, too"),
        pytest.param(None, "no such", URL, None, id="a name from another version"),
    ],
)
def test_which_template(selectors, hint, url, template):
    assert read(WORDPRESS, selectors, hint, url=url).template == template


def test_selectors_of_the_source_go_before_those_of_its_template():
    found = read(WORDPRESS, {"article": {"title": "title"}}, "wordpress")

    assert found.origins["title"] == "selector article.title"
    assert found.origins["text"] == "template wordpress article.body"


def test_a_list_names_its_articles():
    """EXT-04: the cards within the container, without those left out, and the link of each that is meant."""
    cards = "".join(
        f'<li class="card{kind}"><a href=/author>A. Writer</a><a class=go href=/story-{n}>Story</a></li>'
        for n, kind in enumerate(("", " ad", "", ""))
    )
    body = f"<div class=list><ul>{cards}</ul></div><li class=card><a class=go href=/elsewhere>Else</a></li>"
    selectors = {
        "article": {"link": "a.go"},
        "list": {"container": ".list", "article_cards": ".card", "exclude_from_list": [".ad"]},
    }

    assert read(body, selectors).listed == [f"https://example.com/story-{n}" for n in (0, 2, 3)]


def test_a_selector_replaces_what_the_page_states():
    """EXT-04."""
    head = "<meta property=og:title content=Graph><meta name=keywords content='a, b'>"

    page = read(head + "<b class=k>mine</b>", {"article": {"keywords": ".k"}}).page

    assert (page.metadata.og_title, page.metadata.keywords) == ("Graph", "mine")


EVERY_SELECTOR = Selectors.from_json(
    {
        "article": {
            "title": "*",
            "body": "*",
            "author": "*",
            "published_time": "*",
            "image": "*",
            "exclude": ["*"],
        },
        "list": {"article_cards": "*", "exclude_from_list": ["b"]},
        "page": {"content": "body *"},
    }
)
PIECES = st.sampled_from(
    [
        b"<div>",
        b"</div>",
        b"<b>",
        b"<a href=",
        b"'//[",
        b"<article>",
        b"<time datetime=",
        b"<!--",
        b"<svg>",
        b"\x00",
        b"x ",
    ]
)


@given(st.lists(PIECES | st.binary(max_size=8), max_size=40).map(b"".join), st.text(max_size=20))
@settings(max_examples=200, deadline=None)
def test_any_bytes_can_be_read_by_any_selectors(body, url):
    for selectors in (EVERY_SELECTOR, Selectors()):
        found = extract_with(body, url, selectors, now=NOW)

        assert found.words >= 0
        assert "\x00" not in found.page.text
