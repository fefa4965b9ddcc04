"""Whether a URL looks like an article: by the patterns of its source, else by common forms."""

import re
from collections.abc import Sequence
from typing import Protocol

from outrider.urls import path_of


class BoundedPattern(Protocol):
    """A compiled pattern with a bound on its time."""

    def search(self, url: str, /) -> bool: ...


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CONTENT = _names(
    """
    article articles artikel artikelen articulo articulos articolo news nachrichten noticia noticias actualite
    actualites story stories blog blogs post posts opinion press pressrelease press-release press-releases
    pressemitteilung report reports feature features reviews interview interviews
    """
)
_LISTING = _names(
    """
    tag tags topic topics category categories kategorie author authors autor profile profiles people team
    archive archives archiv page seite pagina search feed rss amp section sections index sitemap contact about
    impressum datenschutz privacy terms imprint newsletter subscribe jobs careers faq help login register cart
    shop product products gallery galleries events calendar
    """
)
_DATE = re.compile(
    r"/(?:19|20)\d\d/[01]?\d/(?:[0-3]?\d/)?[^/]{3,}"  # /2024/05/17/name
    r"|/(?:19|20)\d\d-[01]\d-[0-3]\d[-_/][^/]{3,}"  # /2024-05-17-name
    r"|/(?:19|20)\d\d[01]\d[0-3]\d[-_/][^/]{3,}"  # /20240517-name
    r"|/(?:19|20)\d\d/(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*/[0-3]?\d/[^/]{3,}",
    re.IGNORECASE,
)
_PAGED = re.compile(r"[?&](?:page|paged|start|offset|s|q|query|sort|filter)=", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:^|&)(?:p|id|article(?:_?id)?|story_?id|news_?id)=?\d{2,}(?:&|$)", re.IGNORECASE)
_IDENTIFIER = re.compile(r"[a-z]{0,3}-?\d{5,}")
_NUMBER = re.compile(r"\d{5,}")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_EXTENSION = re.compile(r"\.(?:html?|php|aspx?|jsp|shtml|cms|ece)\Z", re.IGNORECASE)
_LONG_SLUG_WORDS = 4
_SLUG_WORDS_IN_CONTENT = 2


def article_url(url: str, patterns: Sequence[BoundedPattern] = ()) -> bool:
    """Whether a normalised URL looks like an article, before its page is fetched.

    With patterns, only they decide (SPI-03).
    """
    if patterns:
        return any(pattern.search(url) for pattern in patterns)
    target = path_of(url)
    path, _, query = target.partition("?")
    if "=" in target and _PAGED.search(target):
        return False
    *folders, last = [segment for segment in path.lower().split("/") if segment] or [""]
    name = _EXTENSION.sub("", last) if "." in last else last
    if name in _LISTING or not _LISTING.isdisjoint(folders):
        return False
    may_be_dated = "/19" in path or "/20" in path  # few are, and asking is cheaper than the pattern
    if (may_be_dated and _DATE.search(path)) or (query and _NUMBERED.search(query)):
        return True
    if folders and _IDENTIFIER.fullmatch(name):
        name = f"{folders.pop()}-{name}"  # /a-headline/a-12345678
    words = len(_WORD.findall(name)) if "-" in name or "_" in name else int(bool(name))
    if not _CONTENT.isdisjoint(folders):
        return words > _SLUG_WORDS_IN_CONTENT or _has_number(name)
    return words > _LONG_SLUG_WORDS or (words == _LONG_SLUG_WORDS and _has_number(name))


def _has_number(name: str) -> bool:
    return _NUMBER.search(name) is not None
