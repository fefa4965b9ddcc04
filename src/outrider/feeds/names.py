"""Canonical names of elements, independent of the namespace prefix in the feed."""

import re
from collections.abc import Mapping

# The canonical prefix of each vocabulary. RSS and Atom share the names without a prefix.
_VOCABULARIES: Mapping[str, str] = {
    uri: prefix
    for prefix, uris in {
        "": (
            "backend.userland.com/rss backend.userland.com/rss091 backend.userland.com/rss092 "
            "backend.userland.com/rss2 backend.userland.com/rss2.0 blogs.law.harvard.edu/tech/rss "
            "cyber.law.harvard.edu/rss cyber.law.harvard.edu/rss/rss.html "
            "channel.netscape.com/rdf/simple/0.9 my.netscape.com/rdf/simple/0.9 "
            "my.netscape.com/publish/formats/rss-0.91.dtd purl.org/rss/0.9 purl.org/rss/1.0 "
            "purl.org/rss/1.0/modules/rss091 purl.org/net/rss1.1 purl.org/atom/ns "
            "www.w3.org/2005/atom www.sitemaps.org/schemas/sitemap/0.9 www.google.com/schemas/sitemap/0.84"
        ),
        "content": "purl.org/rss/1.0/modules/content",
        "dc": "purl.org/dc/elements/1.1 purl.org/dc/elements/1.0",
        "dcterms": "purl.org/dc/terms",
        "feedburner": "rssnamespace.org/feedburner/ext/1.0",
        "itunes": "www.itunes.com/dtds/podcast-1.0.dtd",
        "googleplay": "www.google.com/schemas/play-podcasts/1.0",
        "media": "search.yahoo.com/mrss www.rssboard.org/media-rss tools.search.yahoo.com/mrss",
        "prism": "prismstandard.org/namespaces/1.2/basic prismstandard.org/namespaces/basic/2.0",
        "rdf": "www.w3.org/1999/02/22-rdf-syntax-ns",
        "slash": "purl.org/rss/1.0/modules/slash",
        "sy": "purl.org/rss/1.0/modules/syndication",
        "xhtml": "www.w3.org/1999/xhtml",
        "xml": "www.w3.org/xml/1998/namespace",
        "news": "www.google.com/schemas/sitemap-news/0.9",
        "image": "www.google.com/schemas/sitemap-image/1.1",
        "video": "www.google.com/schemas/sitemap-video/1.1",
    }.items()
    for uri in uris.split()
}
# Prefixes that feeds use without declaring them.
SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_USUAL_PREFIXES = {"atom": "", "atom10": "", "atom03": "", "a10": "", "rss": "", "dct": "dcterms"}
_SCHEME_AND_VERSION = re.compile(r"^https?://|[#/]+$")


class NamespaceScope:
    """The namespaces in scope for an element and its descendants."""

    __slots__ = ("_names", "_prefixes")

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._prefixes = prefixes
        self._names: dict[str, str] = {}

    def with_prefixes(self, declared: Mapping[str, str]) -> "NamespaceScope":
        return NamespaceScope({**self._prefixes, **declared})

    def name(self, written: str) -> str:
        """The name in lower case with the canonical prefix of its vocabulary."""
        name = self._names.get(written)
        if name is None:
            name = self._names[written] = self._canonical(written)
        return name

    def _canonical(self, written: str) -> str:
        prefix, _, local = written.lower().rpartition(":")
        declared = self._prefixes.get(prefix)
        usual = _USUAL_PREFIXES.get(prefix, prefix)
        known = usual if declared is None else _vocabulary(declared, prefix)
        return f"{known}:{local}" if known else local


def _vocabulary(uri: str, prefix: str) -> str:
    return _VOCABULARIES.get(_SCHEME_AND_VERSION.sub("", uri.strip().lower()), prefix)
