"""Where feeds may be: what a page declares, what it links to, and the usual paths (FED-18)."""

import pytest

from outrider.feeds.candidates import belongs_to, read_front, usual_feeds, usual_sitemaps

HOME = "https://news.example.com/en/"


def found(html: str) -> list[tuple[str, str]]:
    return [(each.url, each.found_by) for each in read_front(html.encode(), HOME).candidates]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<link rel="alternate" type="application/rss+xml" href="/feed">',
            [("https://news.example.com/feed", "alternate")],
        ),
        (
            '<link rel="ALTERNATE home" type="Application/Atom+XML; charset=utf-8" href="a.xml">',
            [("https://news.example.com/en/a.xml", "alternate")],
        ),
        (
            "<link rel=alternate type=application/feed+json href=//cdn.example.net/f.json>",
            [("https://cdn.example.net/f.json", "alternate")],
        ),
        (
            '<base href="https://other.example.org/x/"><link rel=alternate type=application/rss+xml href=f>',
            [("https://other.example.org/x/f", "alternate")],
        ),
        ('<link rel="alternate" hreflang="de" href="/de/">', []),
        ('<link rel="alternate" type="application/json" href="/wp-json/wp/v2/pages/7">', []),
        (
            '<link rel="alternate" type="text/xml" href="/rss/all">',
            [("https://news.example.com/rss/all", "alternate")],
        ),
        ('<link rel="stylesheet" type="application/rss+xml" href="/feed">', []),
        ('<link rel=alternate type=application/rss+xml href="javascript:alert(1)">', []),
        ('<link rel=alternate type=application/rss+xml href="file:///etc/passwd">', []),
        ('<a href="/rss.xml">RSS</a>', [("https://news.example.com/rss.xml", "link")]),
        ('<a href="/?feed=rss2">RSS</a>', [("https://news.example.com/?feed=rss2", "link")]),
        ('<a href="https://sport.example.com/feeds/">x</a>', [("https://sport.example.com/feeds/", "link")]),
        ('<a href="https://elsewhere.org/feed">x</a>', []),
        ('<a href="/feedback">x</a><a href="/atomic">x</a><a href="/progress">x</a>', []),
        ("", []),
    ],
)
def test_feeds_a_page_points_to(html: str, expected: list[tuple[str, str]]):
    assert found(html) == expected


def test_comments_come_last_and_nothing_comes_twice():
    html = (
        '<link rel=alternate type=application/rss+xml href="/comments/feed">'
        '<link rel=alternate type=application/rss+xml href="/feed">'
        '<a href="/feed">RSS</a>'
    )

    assert found(html) == [
        ("https://news.example.com/feed", "alternate"),
        ("https://news.example.com/comments/feed", "alternate"),
    ]


def test_a_page_of_a_thousand_feeds_is_bounded():
    html = "".join(f'<link rel=alternate type=application/rss+xml href="/feed/{n}">' for n in range(1000))

    assert len(found(html)) == 10


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<title> The\n Daily  News </title>", "The Daily News"),
        ('<title>x</title><meta property="og:site_name" content="Daily">', "Daily"),
        ('<title>x</title><meta property="og:site_name" content=" ">', "x"),
        ("<title></title>", None),
        ("", None),
    ],
)
def test_the_name_of_a_site(html: str, expected: str | None):
    assert read_front(html.encode(), HOME).name == expected


def test_the_usual_addresses_lie_at_the_top_of_the_site():
    assert [each.url for each in usual_feeds(HOME)] == [
        f"https://news.example.com{path}"
        for path in ("/feed", "/rss", "/atom.xml", "/feed.xml", "/rss.xml", "/index.xml")
    ]
    assert [each.url for each in usual_sitemaps(HOME)] == [
        "https://news.example.com/sitemap.xml",
        "https://news.example.com/sitemap_index.xml",
        "https://news.example.com/news-sitemap.xml",
    ]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/", True),
        ("http://cdn.example.com/x", True),
        ("https://example.org/", False),
        ("https://notexample.com/", False),
        ("http://127.0.0.1/", False),
    ],
)
def test_what_belongs_to_a_site(url: str, expected: bool):
    assert belongs_to(url, HOME) is expected
