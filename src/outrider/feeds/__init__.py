"""Parsers of feeds and sitemaps.

`parse_feed` reads RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed and the old CDF; `parse_sitemap` reads
sitemaps, sitemap indexes, text files and feeds that serve as sitemaps; `iter_sitemap` does so while the file
arrives. The parsers use no network and no database, and accept any bytes:

* Bytes that are no feed or sitemap raise `InvalidFeed`, and no other exception is raised. A bad entry, a cut
  file, a wrong encoding or broken XML does not affect the readable rest.
* No document type is read, so no entity is expanded and nothing external is loaded. A sitemap that declares
  entities is refused, because no sitemap needs them. Sizes, counts and depths are bounded (`limits.py`), and
  every step takes linear time.
* Titles, summaries and contents are safe to show (`sanitize.py`). Everything else is plain text without
  control characters. Addresses are absolute http or https addresses in their original spelling: the frontier
  normalises them. Times are in UTC.
* Only missing names are made up: a feed without a title or link is named by its address, an entry without a
  title by the start of its text.

Outrider's own tolerant scanner (`markup.py`) reads the XML. feedparser is the library to compare with. Most
applicable cases of its test suite (6.0.14) give the same result. The known differences: fewer elements,
attributes and styles are kept, references and addresses have one spelling, no entity of a document type is
expanded, only the words of drawings and formulas are kept, and `Content-Location` is ignored. feedparser uses
a strict parser and a tolerant one as a fallback, has no bounds, and takes four times as long (48 kB with 20
whole articles on a busy core: 43 ms against 10, most of it for sanitising). The same rules read RSS and Atom,
because real feeds mix them. `values.py` and `entry.py` decide where the two formats contradict each other.
"""

from typing import TYPE_CHECKING

from outrider.lazy import lazy_names

if TYPE_CHECKING:
    from outrider.feeds.feed import parse_feed
    from outrider.feeds.model import (
        Alternate,
        Enclosure,
        Feed,
        FeedEntry,
        Sitemap,
        SitemapEntry,
        SitemapKind,
        UpdateHints,
    )
    from outrider.feeds.sitemap import iter_sitemap, parse_sitemap

__all__ = [
    "Alternate",
    "Enclosure",
    "Feed",
    "FeedEntry",
    "Sitemap",
    "SitemapEntry",
    "SitemapKind",
    "UpdateHints",
    "iter_sitemap",
    "parse_feed",
    "parse_sitemap",
]

__getattr__ = lazy_names(
    __name__,
    {
        "feed": ("parse_feed",),
        "model": (
            *("Alternate", "Enclosure", "Feed", "FeedEntry"),
            *("Sitemap", "SitemapEntry", "SitemapKind", "UpdateHints"),
        ),
        "sitemap": ("iter_sitemap", "parse_sitemap"),
    },
)
