"""Which media types say that an address is a feed. Pure."""

import re

_FEED_TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
        "application/x.atom+xml",
        "application/x-atom+xml",
        "text/rss+xml",
        "text/atom+xml",
    }
)
_MAYBE_FEED_TYPES = frozenset({"application/xml", "text/xml", "application/json"})
_LOOKS_LIKE_A_FEED = re.compile(
    r"(?:^|[/._?&=-])(?:rss|atom|feeds?|rdf)(?:[/._?&=-]|[12](?:\.0)?|\Z)", re.IGNORECASE
)


def looks_like_a_feed(address: str) -> bool:
    return _LOOKS_LIKE_A_FEED.search(address) is not None


def names_a_feed(content_type: str | None, address: str) -> bool:
    """Whether the media type is a feed. Plain XML or JSON is one if its URL looks like a feed, too."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    return kind in _FEED_TYPES or (kind in _MAYBE_FEED_TYPES and looks_like_a_feed(address))
