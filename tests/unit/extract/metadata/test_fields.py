"""What a page says about itself."""

import pytest

from outrider.extract import extract, scan

pytestmark = pytest.mark.usefixtures("each_scan")


def page(html):
    return extract(html.encode(), "https://example.com/a")


def json_ld(content):
    return f'<script type="application/ld+json">{content}</script>'


ARTICLE = json_ld('{"@type": "Article", "headline": "Headline", "description": "Stated"}')
OG = "<meta property=og:title content=Graph><meta property=og:description content=Shared>"
TITLE = "<title>Title</title>"
H1 = "<h1>Head<b>ing</b></h1>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (TITLE + OG + H1 + ARTICLE, "Headline"),
        (TITLE + OG + H1, "Graph"),
        (TITLE + H1, "Title"),
        ("<title> </title>" + H1, "Head ing"),
        (TITLE + json_ld('{"@type": "WebSite", "name": "The site"}'), "Title"),
        (TITLE + json_ld('{"@type": "Event", "name": "The event"}'), "The event"),
        (
            TITLE + json_ld('[{"@type": "Article", "headline": "1"}, {"@type": "Article", "headline": "2"}]'),
            "Title",
        ),
        ("<header>" + H1 + "</header>", "Head ing"),
        ("<title>a\x07\nb</title>", "a b"),
        ("<p>text", None),
    ],
)
def test_title_from_json_ld_open_graph_title_then_heading(html, expected):
    """EXT-05: a plain crawl takes the same title as a crawl that reads the main text."""
    assert page(html).title == expected
    assert scan(html.encode(), "https://example.com/a").title == expected


KIND = '{"@type": "Article", "headline": "List article", "name": "List of mills"}'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            json_ld(KIND) + "<title>List of mills - Site</title><h1>List of mills</h1>",
            "List of mills",
            id="the name that the page shows, where the headline is the kind of the page",
        ),
        pytest.param(
            json_ld(KIND) + "<title>List of mills - Site</title><h1>List article</h1>",
            "List article",
            id="the headline that the page shows",
        ),
        pytest.param(
            "<title>Title</title>"
            + json_ld('{"@type": "Article", "headline": "Mills &amp;#8230; &amp;amp; men"}'),
            "Mills … & men",
            id="escaped twice",
        ),
        pytest.param(
            "<title>What &amp;amp; means</title><meta property=og:title content='What &amp;amp; means'>",
            "What &amp; means",
            id="about an escape",
        ),
    ],
)
def test_the_title_is_what_people_see(html, expected):
    assert page(html).title == expected


def test_a_title_without_a_word_of_the_heading_and_of_the_address_made_of_it_names_the_site():
    html = b"<title>Site - the heart of the web</title><h1>Which saw cuts stone?</h1>"

    assert extract(html, "https://example.com/t/which_saw_cuts_stone").title == "Which saw cuts stone?"
    assert extract(html, "https://example.com/saw").title == "Site - the heart of the web"
    assert extract(html, "https://[/which_saw_cuts_stone").title == "Which saw cuts stone?"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<meta name=description content=Described>" + OG + ARTICLE, "Described"),
        (OG + ARTICLE, "Shared"),
        (ARTICLE, "Stated"),
        ("", None),
    ],
)
def test_description_from_meta_open_graph_then_json_ld(html, expected):
    assert page(html).description == expected
    assert scan(html.encode(), "https://example.com/a").description == expected


def test_open_graph_by_name_and_of_repeated_ones_the_first():
    html = (
        "<meta property=og:title content=Graph><meta property=og:description content=Shared>"
        "<meta property=og:image content=/1><meta property=og:image content=/2>"
    )

    assert page(html).open_graph == {"title": "Graph", "description": "Shared", "image": "/1"}


def test_json_ld_is_kept_as_it_was_written():
    assert page(json_ld('{"@type": "Recipe", "name": "Soup"}')).json_ld == [
        {"@type": "Recipe", "name": "Soup"}
    ]


def test_metadata_of_the_head_has_its_name():
    """EXT-07."""
    properties = {
        "og:type": "article",
        "og:title": "Graph",
        "og:description": "Shared",
        "og:image": "/1",
        "og:image:width": "640",
        "og:image:height": "480",
        "og:url": "https://example.com/a",
        "og:site_name": "The Paper",
        "article:section": "Politics",
        "article:opinion": "true",
        "article:content_tier": "metered",
        "twitter:card": "summary",
        "twitter:site": "@paper",
        "keywords": "a, b",
    }
    html = "".join(f"<meta property='{name}' content='{value}'>" for name, value in properties.items())

    assert page(html + "<meta property=og:image content=/2>").metadata.to_json() == {
        "og_type": "article",
        "og_title": "Graph",
        "og_description": "Shared",
        "og_image": "/1",
        "og_image_width": "640",
        "og_image_height": "480",
        "og_url": "https://example.com/a",
        "og_site_name": "The Paper",
        "section": "Politics",
        "article_opinion": "true",
        "article_content_tier": "metered",
        "twitter_card": "summary",
        "twitter_site": "@paper",
        "keywords": "a, b",
    }


def test_a_page_that_states_nothing_has_no_metadata():
    assert page("<title>T</title><p>text").metadata.to_json() is None


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<html lang=pt-br>", "pt-BR"),
        ("<html lang=''><meta http-equiv=content-language content=nl>", "nl"),
        ("<meta property=og:locale content=en_GB>", "en-GB"),
        (json_ld('{"@type": "Article", "inLanguage": {"name": "sv"}}'), "sv"),
        ("<p>texte en français", None),
    ],
)
def test_language_as_declared(html, expected):
    assert page(html).language == expected
