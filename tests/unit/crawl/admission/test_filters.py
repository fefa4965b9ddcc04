"""Which URLs are left out by their looks, and which must not be."""

import pytest

from outrider.crawl.admission.filters import skip
from outrider.crawl.admission.skip_reason import SkipReason


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://a.org/file.PDF", SkipReason.BINARY),
        ("https://a.org/photo.jpg?w=100", SkipReason.BINARY),
        ("https://a.org/releases/app-1.2.tar.gz", SkipReason.BINARY),
        ("https://a.org/files/123/download", SkipReason.BINARY),
        ("https://a.org/doc?download=1", SkipReason.BINARY),
        ("https://a.org/site.css?v=3", SkipReason.ASSET),
        ("https://a.org/wp-content/themes/x/readme", SkipReason.ASSET),
        ("https://a.org/wp-json", SkipReason.ASSET),
        ("https://a.org/blog/_next/static/chunks/1", SkipReason.ASSET),
        ("https://a.org/login", SkipReason.ACTION),
        ("https://a.org/Login.php?next=/a", SkipReason.ACTION),
        ("https://a.org/en/search?q=x", SkipReason.ACTION),
        ("https://a.org/pt-br/search", SkipReason.ACTION),
        ("https://a.org/users/sign-in", SkipReason.ACTION),
        ("https://a.org/shop/cart", SkipReason.ACTION),
        ("https://a.org/checkout/step-2", SkipReason.ACTION),
        ("https://a.org/product?add-to-cart=5", SkipReason.ACTION),
        ("https://a.org/wiki/index.php?action=edit&title=Moon", SkipReason.ACTION),
        ("https://www.facebook.com/sharer/sharer.php?u=x", SkipReason.SHARE),
        ("https://twitter.com/intent/tweet?text=x", SkipReason.SHARE),
        ("https://wa.me/123", SkipReason.SHARE),
        ("https://ad.doubleclick.net/click", SkipReason.SHARE),
    ],
)
def test_what_is_no_content_is_left_out(url, reason):
    assert skip(url) is reason


@pytest.mark.parametrize(
    "url",
    [
        "https://a.org/",
        "https://a.org/index.html",
        "https://a.org/page.php?id=5",
        "https://a.org/feed.xml",
        "https://a.org/research/findings",
        "https://a.org/docs/api/search",
        "https://a.org/blog/how-to-login",
        "https://a.org/news/cart",
        "https://a.org/downloads",
        "https://a.org/download",
        "https://a.org/wiki/File:Moon.jpg",
        "https://a.org/v1.2",
        "https://a.org/.zip",
        "https://a.org/pdf/about",
        "https://a.org/view?file=report.pdf",
        "https://www.facebook.com/somebody",
        "https://x.com/somebody/status/1",
        "https://a.org/transactions?action=editorial",
    ],
)
def test_what_may_be_content_passes(url):
    assert skip(url) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://a.org/login", None),
        ("https://a.org/search", None),
        ("https://a.org/site.css", None),
        ("https://wa.me/123", None),
        ("https://a.org/file.pdf", SkipReason.BINARY),
    ],
)
def test_without_the_content_filter_only_binaries_are_left_out(url, reason):
    assert skip(url, content_filter=False) is reason


def test_a_binary_has_the_reason_that_the_frontier_stores():
    assert SkipReason.BINARY == "binary_url"
