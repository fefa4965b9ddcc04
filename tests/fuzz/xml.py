"""Feeds and sitemaps: read, or refused with one kind of error; what is read can be kept."""

from tests.fuzz.storable import check_storable

from outrider.errors import InvalidFeed
from outrider.feeds import parse_feed, parse_sitemap

URL = "https://example.com/feed"
TYPES = (None, "application/rss+xml; charset=utf-8", "text/xml; charset=utf-16", "application/json", "x" * 50)


def check_feed(data: bytes) -> None:
    for content_type in TYPES:
        try:
            feed = parse_feed(data, URL, content_type)
        except InvalidFeed:
            continue
        check_storable(feed)
        for entry in feed.entries:
            assert entry.url is None or entry.url.lower().startswith(("http://", "https://"))
            for markup in (entry.summary, entry.content):
                assert "<script" not in (markup or "").lower()


def check_sitemap(data: bytes) -> None:
    for content_type in TYPES:
        try:
            sitemap = parse_sitemap(data, URL, content_type)
        except InvalidFeed:
            continue
        check_storable(sitemap)
