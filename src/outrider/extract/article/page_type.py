"""The type of a page, by signals that count for or against an article."""

from enum import StrEnum
from typing import NamedTuple

from outrider.extract.article.quality import ENOUGH_WORDS


class PageType(StrEnum):
    """The purpose of a page."""

    ARTICLE = "article"
    LISTING = "listing"  # it leads to other pages
    STUB = "stub"  # there is next to nothing on it
    OTHER = "other"


class Signals(NamedTuple):
    """The known signals of a page; None for signals that were not computed."""

    words: int  # of the main text, or of all text if the main text was not computed
    links: int
    looks_like_article: bool  # by its address
    is_home: bool = False
    og_type: str | None = None
    types: frozenset[str] = frozenset()  # of its JSON-LD
    is_dated: bool | None = None
    is_signed: bool | None = None
    linked: float | None = None  # the share of its visible text that is links


_ARTICLE_AT = 3
_LISTING_AT = -2
_FEW_LINKS = 5
_LONG = 300  # words
_MOSTLY_LINKS, _HARDLY_LINKS = 0.5, 0.25
_WORDS_A_TEASER, _WORDS_A_REFERENCE = 6, 12  # for each link, if the share of linked text was not computed

_LISTING_TYPES = frozenset(("CollectionPage", "ItemList", "SearchResultsPage", "Blog", "ProfilePage"))


def page_type(page: Signals) -> PageType:
    """The type with the most votes of the signals."""
    is_short, has_links = page.words < ENOUGH_WORDS, page.links > _FEW_LINKS
    if is_short and not has_links:
        return PageType.STUB
    score = _score(page)
    if score >= _ARTICLE_AT and not is_short:
        return PageType.ARTICLE
    if score <= _LISTING_AT and has_links:
        return PageType.LISTING
    return PageType.STUB if is_short else PageType.OTHER


def _score(page: Signals) -> int:
    """The sum of all votes: positive for an article, negative for a list."""
    score = 2 if page.looks_like_article else -1
    if page.is_home:
        score -= 3
    if page.og_type:
        score += _vote_of_type(page.og_type.lower())
    if page.types:
        score += _vote_of_types(page.types)
    if page.is_dated:
        score += 1
    if page.is_signed:
        score += 1
    words = page.words
    return score + (words >= _LONG) + (words >= 2 * _LONG) + _vote_of_links(page)


def _vote_of_type(og_type: str) -> int:
    if og_type.startswith("article") or og_type in ("blog", "news"):
        return 2
    return -1 if og_type == "website" else 0


def _vote_of_types(types: frozenset[str]) -> int:
    is_article = any(name.endswith(("Article", "BlogPosting", "Report", "PressRelease")) for name in types)
    return 2 * is_article - 2 * (not types.isdisjoint(_LISTING_TYPES))


def _vote_of_links(page: Signals) -> int:
    if page.linked is not None:
        return -2 if page.linked > _MOSTLY_LINKS else int(page.linked < _HARDLY_LINKS)
    words, links = page.words, page.links
    if links <= _FEW_LINKS:
        return 1
    return (words > links * _WORDS_A_REFERENCE) - (words < links * _WORDS_A_TEASER)
