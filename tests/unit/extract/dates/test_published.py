"""When a page was published, and when we had better not say."""

from datetime import UTC, datetime

import pytest

from outrider.extract import extract

NOW = datetime(2026, 1, 10, tzinfo=UTC)
URL = "https://example.com/news/story"


def day_of(html, url=URL):
    published = extract(html.encode(), url, now=NOW).published_at
    return published.date().isoformat() if published else None


def json_ld(content):
    return f'<script type="application/ld+json">{content}</script>'


META = "<meta name=date content=2024-02-02>"
ARTICLE = json_ld('{"@type": "NewsArticle", "datePublished": "2024-03-03"}')


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            f"<meta property=article:published_time content=2024-01-01>{ARTICLE}{META}",
            "2024-01-01",
            id="first the article's own meta tag",
        ),
        pytest.param(f"{ARTICLE}{META}", "2024-02-02", id="then other meta tags"),
        pytest.param(
            f"<h1>T</h1><time datetime=2024-04-04>x</time>{ARTICLE}", "2024-03-03", id="then JSON-LD"
        ),
        pytest.param(
            "<h1>T</h1><div><time datetime=2024-04-04>x</time></div><p class=date>2024-05-05</p>",
            None,
            id="a headline directly in the body has no surroundings",
        ),
        pytest.param(
            "<div><h1>T</h1><time datetime=2024-04-04>x</time><p class=date>2024-05-05</p></div>",
            "2024-04-04",
            id="then <time> at the headline",
        ),
        pytest.param(
            "<article><h1>T</h1><p class=post-date>May 5, 2024</p></article>", "2024-05-05", id="then classes"
        ),
        pytest.param(
            "<article><time datetime=2024-04-04>x</time><h1>T</h1></article>",
            "2024-04-04",
            id="above it as well",
        ),
        pytest.param(
            "<article><h1>T</h1><p class=byline>Ann, May 5, 2024. Updated May 6, 2024</p></article>",
            "2024-05-05",
            id="an update after it does no harm",
        ),
        pytest.param(
            json_ld('{"@type": "QAPage", "mainEntity": {"@type": "Question", "dateCreated": "2024-06-06"}}'),
            "2024-06-06",
            id="what a page is mainly about",
        ),
        pytest.param("<meta name=published-date content=2024-02-02>", "2024-02-02", id="a published-date"),
        pytest.param("<meta name=published_date content=2024-02-02>", "2024-02-02", id="a published_date"),
        pytest.param(
            """<meta name="script:ld+json" content='{"@type": "Article", "datePublished": "2024-03-03"}'>""",
            "2024-03-03",
            id="JSON-LD that was printed as a meta tag",
        ),
        pytest.param(
            "<body data-pubdate=2024-02-02 data-lastmod=2025-02-02><p>Text", "2024-02-02", id="of the body"
        ),
        pytest.param(
            "<p itemprop=datePublished>2024-05-05</p>", "2024-05-05", id="or what is marked as published"
        ),
        pytest.param(
            '<meta property="article:published_time" content="soon"><meta name=date content=2024-02-02>',
            "2024-02-02",
            id="what cannot be read is passed over",
        ),
        pytest.param(
            '<meta property="article:published_time" content="2031-01-01">',
            None,
            id="what lies ahead is dropped",
        ),
    ],
)
def test_sources_are_asked_in_order(html, expected):
    assert day_of(html) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://h/2024/05/17/story", "2024-05-17"),
        ("https://h/blog/2024-05-17-story", "2024-05-17"),
        ("https://h/2024/may/17/story", "2024-05-17"),
        ("https://h/articles/2024-05-17+A+story", "2024-05-17"),
        ("https://h/articles/20240517+A+story", "2024-05-17"),
        ("https://h/news/20240517/story.html", "2024-05-17"),
        ("https://h/news/120240517/story.html", None),
        ("https://h/news/20241517/story.html", None),
        ("https://h/2024/story/17/", None),
        ("https://h/2024/05/story", None),
        ("https://h/story?from=/2024/05/17/", None),
        ("https://h/1234/56/78/", None),
    ],
)
def test_a_day_in_the_path_counts_when_it_is_a_day(url, expected):
    assert day_of("<p>text", url) == expected


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<footer class=date>© 2024-01-01</footer>", id="a copyright"),
        pytest.param("<main><h1>T</h1><p class=date>Updated May 5, 2024</p></main>", id="an update"),
        pytest.param(
            "<main><h1>T</h1></main><p class=comments><time datetime=2024-01-01 class=published>x</time></p>",
            id="a comment",
        ),
        pytest.param("<main><h1>T</h1><p>It happened on May 5, 2024.</p></main>", id="a date in the text"),
        pytest.param(
            "<main><h1>Blog</h1>"
            + "".join(f"<time datetime=2024-01-0{n}>x</time>" for n in range(1, 9))
            + "</main>",
            id="a list of articles",
        ),
        pytest.param(
            json_ld(
                "["
                + ",".join(f'{{"@type": "Article", "datePublished": "2024-01-0{n}"}}' for n in range(1, 9))
                + "]"
            ),
            id="a list in JSON-LD",
        ),
        pytest.param(json_ld('{"@type": "Product", "releaseDate": "2024-01-01"}'), id="a product"),
        pytest.param(
            json_ld('{"@type": "WebPage", "datePublished": "2024-01-01"}'), id="a page that is no article"
        ),
        pytest.param(
            "<meta property=article:published_time content=2024-01-01>"
            + json_ld('{"@type": "CollectionPage", "datePublished": "2024-01-01"}'),
            id="a collection of other pages",
        ),
        pytest.param(
            json_ld('{"@type": "Product"}') + "<main><h1>T</h1><time datetime=2024-01-01>x</time></main>",
            id="a review of a product",
        ),
        pytest.param(
            "<div itemtype=https://schema.org/Review><meta itemprop=datePublished content=2024-01-01></div>",
            id="a review in microdata",
        ),
        pytest.param(
            "<div itemtype=http://schema.org/Product><h1>T</h1><p class=date>May 1, 2024</p></div>",
            id="a product in microdata",
        ),
        pytest.param(
            "<meta property=og:type content=website>"
            "<meta property=article:published_time content='2024-01-01 10:11:12'>"
            "<meta itemprop=datePublished content='2024-01-01 10:11:12'>"
            "<meta property=og:updated_time content='2024-01-01 10:11:12'>",
            id="the moment of the last change",
        ),
    ],
)
def test_no_date_is_invented(html):
    assert day_of(html) is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/blog/how-the-mill-turns-again", "2024-01-01"),
        ("https://example.com/services/rentals", None),
        ("https://example.com/shop/", None),
    ],
)
def test_the_date_of_a_web_page_counts_where_its_address_is_that_of_an_article(url, expected):
    html = "<meta property=og:type content=article>" + json_ld(
        '{"@type": "WebPage", "datePublished": "2024-01-01"}'
    )

    assert day_of(html, url) == expected


@pytest.mark.parametrize(("kind", "moment"), [("article", "2024-01-01 10:11:12"), ("website", "2024-01-01")])
def test_a_page_that_was_never_changed_has_the_date_of_its_last_change(kind, moment):
    assert (
        day_of(
            f"<meta property=og:type content={kind}>"
            f"<meta property=article:published_time content='{moment}'>"
            f"<meta property=article:modified_time content='{moment}'>"
        )
        == "2024-01-01"
    )


@pytest.mark.parametrize("path", ["category/saws", "genre/action/", "tags/wood?page=2"])
def test_an_address_may_name_a_list(path):
    html = "<meta property=article:published_time content=2024-01-01>"

    assert day_of(html, f"https://example.com/{path}") is None
    assert day_of(html, f"https://example.com/{path.partition('/')[0]}/a/story") == "2024-01-01"


@pytest.mark.parametrize(
    "html",
    [
        "<main><h1>T</h1><time datetime=2024-04-04>x</time></main>",
        f"<meta property=og:type content=website>{ARTICLE}{META}",
    ],
)
def test_a_home_page_has_news_but_no_date(html):
    assert day_of(html, "https://example.com/") is None


@pytest.mark.parametrize(
    ("language", "expected"), [("en-US", "2024-03-04"), ("en-GB", "2024-04-03"), ("fr", "2024-04-03")]
)
def test_the_language_settles_dates_that_read_both_ways(language, expected):
    assert day_of(f"<html lang={language}><meta name=date content=03/04/2024>") == expected
