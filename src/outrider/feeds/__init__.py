"""From bytes to feeds and sitemaps.

`parse_feed` reads RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed and the old CDF; `parse_sitemap` reads
sitemaps, sitemap indexes, text files and feeds that serve as sitemaps; `iter_sitemap` does so while the file
arrives. Nothing here touches the network or a database, and any bytes may come:

* what is not a feed or a sitemap raises `InvalidFeed`, and nothing else is ever raised. What is one is read
  as far as it goes: a bad entry, a cut file, a wrong encoding or broken XML cost only themselves;
* no document type is read, so no entity is expanded and nothing external is loaded; a sitemap that declares
  entities, which none needs, is refused. Sizes, counts and depths end (`limits.py`), and no step takes more
  than linear time;
* titles, summaries and contents are safe to show (`sanitize.py`). Everything else is plain text without
  control characters. Addresses are absolute, http or https, and otherwise as they were written: the frontier
  normalises them when it takes them in. Times are in UTC;
* nothing is invented but a name: a feed without a title or link goes by its address, an entry without a title
  by the start of its text.

The XML is read by a tolerant scanner of ours (`markup.py`). feedparser is the library to compare with. Most
cases of its own suite (6.0.14) that ask for what is read here get the same answer. The others are known:
fewer elements, attributes and styles are kept, references and addresses are spelled in one way, no entity of
a document type is expanded, drawings and formulas leave only their words, `Content-Location` is not looked
at. feedparser needs a strict parser and, for what that refuses, a tolerant one, has no bounds, and takes four
times as long (48 kB with 20 whole articles on a busy core: 43 ms against 10, most of which is making the
markup safe). RSS and Atom are read by the same rules, as real feeds mix them; where they contradict each
other, `values.py` and `entry.py` say who wins.
"""

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
