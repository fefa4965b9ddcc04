"""From bytes to feeds and sitemaps."""

from outrider.feeds.feed import parse_feed
from outrider.feeds.model import Alternate, Enclosure, Entry, Feed, Rhythm, Sitemap, SitemapEntry, SitemapKind

__all__ = [
    "Alternate",
    "Enclosure",
    "Entry",
    "Feed",
    "Rhythm",
    "Sitemap",
    "SitemapEntry",
    "SitemapKind",
    "parse_feed",
]
