"""From bytes to feeds and sitemaps."""

from outrider.feeds.feed import parse_feed
from outrider.feeds.model import Alternate, Enclosure, Entry, Feed, Rhythm, Sitemap, SitemapEntry, SitemapKind
from outrider.feeds.sitemap import iter_sitemap, parse_sitemap

__all__ = [
    "Alternate",
    "Enclosure",
    "Entry",
    "Feed",
    "Rhythm",
    "Sitemap",
    "SitemapEntry",
    "SitemapKind",
    "iter_sitemap",
    "parse_feed",
    "parse_sitemap",
]
