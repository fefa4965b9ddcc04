"""The priority of a URL: a number from 1 to 10, higher first.

    priority = priority of its source + bonus of its origin - depth

Links found on pages also have signals in their URL: a home page or an article raises the priority, a
further page of a listing or a month of an archive lowers it.
"""

import re
from collections.abc import Set
from enum import StrEnum

from outrider.errors import InvalidInput
from outrider.frontier.model import LINK_ORIGINS, UrlOrigin

LOWEST, HIGHEST = 1, 10
DEFAULT = 5
SEED = HIGHEST  # URLs that a person typed come first (PRI-07)
LEVELS = {"low": 2, "medium": 5, "high": 9}

_BONUS = {UrlOrigin.FEED: 2, UrlOrigin.SITEMAP: 1}


class Signal(StrEnum):
    """What the text of a URL, or the page that linked to it, says about its page."""

    HOMEPAGE = "homepage"
    ARTICLE = "article"
    PAGINATION = "pagination"
    ARCHIVE = "archive"
    EXTERNAL = "external"


_ADJUSTMENT = {
    Signal.HOMEPAGE: 1,
    Signal.ARTICLE: 1,
    Signal.PAGINATION: -1,
    Signal.ARCHIVE: -1,
    Signal.EXTERNAL: -1,
}

_NOTHING: frozenset[Signal] = frozenset()
_HOMEPAGE = re.compile(r"https?://[^/?]+/?\Z|https?://[^/?]+/(?:index|default)\.\w{1,5}\Z", re.IGNORECASE)
_PAGINATION_PATH = re.compile(r"/(?:page|seite|pagina)[/-]?\d+(?:[/?]|\Z)", re.IGNORECASE)
_PAGINATION_QUERY = re.compile(r"[?&](?:page|paged|start|offset)=\d", re.IGNORECASE)
_ARCHIVE = re.compile(
    r"/(?:archives?|tags?|category|categories|authors?)(?:[/?]|\Z)|/(?:19|20)\d\d(?:/[01]?\d)?/?\Z",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"/(?:19|20)\d\d/[01]?\d/(?:[0-3]?\d/)?[^/?]{3,}"  # a date and a name
    r"|/[^/?.-]+(?:-[^/?.-]+){4,}(?:\.\w{2,5})?(?:\?|\Z)"  # a headline as a path
)
_HEADLINE_HYPHENS = 4  # as the pattern has it
_HOMEPAGE_SLASHES = 3  # at most, as the pattern has it


def priority(base: int, origin: UrlOrigin, depth: int, signals: Set[Signal] = _NOTHING) -> int:
    """The priority of one URL (PRI-01). Depth and signals count only for links."""
    value = base + _BONUS.get(origin, 0)
    if signals and origin in LINK_ORIGINS:
        value += sum(_ADJUSTMENT[signal] for signal in signals)
    if origin is UrlOrigin.SPIDER:
        value -= depth
    return min(max(value, LOWEST), HIGHEST)


def signals_of(url: str, *, external: bool = False) -> Set[Signal]:
    """The signals of a normalised URL; `external` means that the link leads to another site."""
    found = _signals_in(url)
    return found | {Signal.EXTERNAL} if external else found


def parse_priority(value: str | int | None) -> int:
    """Parse a priority: 1 to 10 or the name of a level (PRI-09, CON-02)."""
    if value is None:
        return DEFAULT
    text = str(value).strip().lower()
    if text in LEVELS:
        return LEVELS[text]
    if text.isascii() and text.isdigit() and len(text) <= 2 and LOWEST <= int(text) <= HIGHEST:
        return int(text)
    raise InvalidInput(f"{text[:40]!r} is no priority: give 1 to 10, or low, medium or high")


def _signals_in(url: str) -> frozenset[Signal]:
    # Counting a character is cheaper than a pattern that few URLs match.
    if _PAGINATION_PATH.search(url) or ("=" in url and _PAGINATION_QUERY.search(url)):
        return frozenset({Signal.PAGINATION})
    if _ARCHIVE.search(url):
        return frozenset({Signal.ARCHIVE})
    may_be_article = "/19" in url or "/20" in url or url.count("-") >= _HEADLINE_HYPHENS
    if may_be_article and _ARTICLE.search(url):
        return frozenset({Signal.ARTICLE})
    is_home = url.count("/") <= _HOMEPAGE_SLASHES and _HOMEPAGE.match(url)
    return frozenset({Signal.HOMEPAGE}) if is_home else _NOTHING
