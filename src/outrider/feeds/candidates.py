"""Candidates for feeds and sitemaps: links of the start page, and common paths. Pure."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from outrider.errors import InvalidUrl
from outrider.extract.encoding.decode import as_utf8
from outrider.extract.feed_types import looks_like_a_feed, names_a_feed
from outrider.extract.links import base_of
from outrider.extract.tree.parse import parse
from outrider.urls import host_of, origin_of, registrable_domain, resolve

FEED_PATHS = ("/feed", "/rss", "/atom.xml", "/feed.xml", "/rss.xml", "/index.xml")  # FED-18
SITEMAP_INDEX_PATH = "/sitemap_index.xml"  # used by sites that have no /sitemap.xml
SITEMAP_PATHS = ("/sitemap.xml", SITEMAP_INDEX_PATH, "/news-sitemap.xml")  # FED-14
MOST_ALTERNATES = 10
MOST_LINKS = 10

_COMMENTS = re.compile(r"comments?(?:[/._-]|\Z)|replies", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChannelCandidate:
    """An address that may be a feed or a sitemap, and how it was found."""

    url: str
    found_by: str  # alternate, link, path, robots


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The name of a site and the possible feeds, from its start page."""

    name: str | None
    candidates: Sequence[ChannelCandidate]


def read_front(body: bytes, url: str, content_type: str | None = None) -> FrontPage:
    """Read the name of a site and the feeds that its start page links to, comment feeds last."""
    html, _ = as_utf8(body, content_type)
    tree = parse(html)
    base = base_of([node.attributes.get("href") or "" for node in tree.css("base[href]")[:1]], url)
    declared = [ChannelCandidate(each, "alternate") for each in _alternates(tree, base)]
    known = {each.url for each in declared}
    linked = [ChannelCandidate(each, "link") for each in _feed_links(tree, base, url) if each not in known]
    found = sorted([*declared, *linked], key=lambda each: bool(_COMMENTS.search(each.url)))
    return FrontPage(_name(tree), found)


def usual_feeds(url: str) -> list[ChannelCandidate]:
    return [ChannelCandidate(origin_of(url) + path, "path") for path in FEED_PATHS]


def usual_sitemaps(url: str) -> list[ChannelCandidate]:
    return [ChannelCandidate(origin_of(url) + path, "path") for path in SITEMAP_PATHS]


def belongs_to(url: str, site: str) -> bool:
    """Whether an address has the registrable domain of the site (or, without one, its host)."""
    host, home = host_of(url), host_of(site)
    return host == home or (registrable_domain(host) or host) == (registrable_domain(home) or home)


def _alternates(tree: LexborHTMLParser, base: str) -> list[str]:
    """Feeds in <link rel=alternate>. One of plain XML or JSON type must also look like a feed."""
    found: dict[str, None] = {}
    for node in tree.css("link[rel][href]"):
        attributes = node.attributes
        if "alternate" not in (attributes.get("rel") or "").lower().split():
            continue
        href = attributes.get("href") or ""
        if names_a_feed(attributes.get("type"), href):
            _add(found, href, base)
    return list(found)[:MOST_ALTERNATES]


def _feed_links(tree: LexborHTMLParser, base: str, url: str) -> list[str]:
    """Links that look like feeds of the same site."""
    found: dict[str, None] = {}
    for node in tree.css("a[href]"):
        href = node.attributes.get("href") or ""
        if len(href) <= 500 and looks_like_a_feed(href):
            _add(found, href, base)
        if len(found) >= 5 * MOST_LINKS:
            break
    return [each for each in found if belongs_to(each, url)][:MOST_LINKS]


def _add(found: dict[str, None], href: str, base: str) -> None:
    with suppress(InvalidUrl):
        found[resolve(href, base)] = None


def _name(tree: LexborHTMLParser) -> str | None:
    """The site name in the metadata, or else the title of the page."""
    for node in tree.css("meta[property='og:site_name'][content]")[:1]:
        if name := " ".join((node.attributes.get("content") or "").split()):
            return name[:200]
    title = tree.css_first("title")
    return " ".join(title.text().split())[:200] or None if title is not None else None
