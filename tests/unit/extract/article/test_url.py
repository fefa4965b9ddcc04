"""Which addresses look like an article's."""

import pytest

from outrider.extract.article.url import article_url
from outrider.sources.patterns import Pattern


@pytest.mark.parametrize(
    "path",
    [
        "/2024/05/17/bridge",
        "/2024/5/bridge-opens",
        "/2024-05-17-bridge-opens",
        "/20240517/bridge-opens",
        "/world/2024/may/17/bridge-opens",
        "/news/the-bridge-opens",
        "/news/world-europe-68901234",
        "/artikel/bruecke-wird-eroeffnet-17",
        "/blog/how-we-built-it",
        "/politics/council-agrees-on-a-new-bridge",
        "/council-agrees-on-a-new-bridge.html",
        "/sport/final-score-tonight-1234567",
        "/en/council-agrees-on-a-new-bridge/a-52060881",
        "/?p=959",
        "/spip.php?article8532",
    ],
)
def test_articles(path):
    assert article_url(f"https://example.com{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/news",
        "/news/politics",
        "/2024/05",
        "/2024/05/17",
        "/category/the-very-long-name-of-a-category",
        "/tag/2024/05/17/bridge",
        "/author/a-writer-of-many-long-words",
        "/news?page=2",
        "/2024/05/17/bridge?page=2",
        "/about",
        "/contact.html",
        "/privacy/this-is-a-long-privacy-policy",
        "/a/b/c",
        "/page/2",
        "/index.html",
        "/?p=1",
        "/en/12345678",
    ],
)
def test_other_pages(path):
    assert not article_url(f"https://example.com{path}")


@pytest.mark.parametrize(
    ("url", "is_article"),
    [
        ("https://example.com/meldung/17", True),
        ("https://example.com/m", True),
        ("https://example.com/2024/05/17/council-agrees-on-a-bridge", False),
    ],
)
def test_with_patterns_only_they_decide(url, is_article):
    """SPI-03."""
    patterns = [Pattern.compile(r"/meldung/\d+$"), Pattern.compile("/m$")]

    assert article_url(url, patterns) == is_article


@pytest.mark.parametrize(
    "path", ["/2024" * 20_000, "a-" * 50_000 + "?page=1", "/news" * 20_000, "/2024/05/" * 10_000]
)
def test_an_endless_address_is_no_article_and_no_trouble(path):
    assert not article_url(f"https://example.com/{path}")
