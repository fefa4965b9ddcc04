"""When a page was published. Better no date than an invented one.

Asked in this order: meta tags, JSON-LD, elements that are made for dates, a day in the URL. Lists, comments
and footers hold dates of their own, so of the elements only those count that stand at the headline or say
that they are about publishing, and none that repeat like the items of a list.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.dates import read_date
from outrider.extract.short_text import short_text
from outrider.extract.structured import Thing, types_of, with_main_entities
from outrider.extract.survey import Survey

_META_NAMES = (
    "article:published_time",
    "og:published_time",
    "article:published",
    "datepublished",
    "date.published",
    "publishdate",
    "publish_date",
    "publish-date",
    "pubdate",
    "published_time",
    "publication_date",
    "article_date_original",
    "parsely-pub-date",
    "sailthru.date",
    "citation_publication_date",
    "citation_date",
    "dc.date.issued",
    "dcterms.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.date",
    "dcterms.date",
    "cxenseparse:recs:publishtime",
    "originalpublicationdate",
    "displaydate",
    "date",
)
_DATED_TYPES = frozenset(
    """
    Article NewsArticle BlogPosting PressRelease Report TechArticle ScholarlyArticle MedicalScholarlyArticle
    OpinionNewsArticle AnalysisNewsArticle ReportageNewsArticle ReviewNewsArticle BackgroundNewsArticle
    LiveBlogPosting AdvertiserContentArticle SpecialAnnouncement SocialMediaPosting DiscussionForumPosting
    Question Recipe PodcastEpisode
    """.split()  # noqa: SIM905
)
_DATED_ELEMENTS = (
    "time, [itemprop=datePublished], [class*=date i], [class*=publish i], [class*=posted i], "
    "[class*=timestamp i], [class*=byline i], [class*=post-meta i], [class*=entry-meta i], "
    "[class*=article-meta i]"
)
_MAX_ELEMENTS = 300
_MAX_DATE_TEXT = 160
_LISTED = 4  # so many different days in elements that look the same: a list of other pages
_ASIDE = re.compile(
    r"comment|respon[ds]|related|sidebar|footer|widget|recommend|promo|teaser|copyright|trending|popular|latest"
    r"|calendar|upcoming|event|carousel|review",
    re.IGNORECASE,
)
_NOT_PUBLISHED = re.compile(
    r"updated|modified|aktualisiert|copyright|expire|deadline|joined|©", re.IGNORECASE
)
_SAYS_PUBLISHED = re.compile(r"publish|pubdate|posted", re.IGNORECASE)
_IN_PATH = re.compile(
    r"/((?:19|20)\d{2})/(\d{1,2})/(\d{1,2})(?:/|$)|[/-]((?:19|20)\d{2})-(\d{2})-(\d{2})(?:[/_.-]|$)"
)


def published_at(
    tree: LexborHTMLParser, found: Survey, things: Sequence[Thing], url: str, now: datetime, day_first: bool
) -> tuple[datetime | None, str]:
    """The day, and the time where it is known, on which the page at `url` was published."""
    for where, text in _stated(found, things):
        if date := read_date(text, now, day_first):
            return date, where
    if _is_home(url):
        return None, ""
    if date := _shown(tree, now, day_first):
        return date, "date at the headline"
    return read_date(_day_in(url), now), "address"


def _stated(found: Survey, things: Sequence[Thing]) -> Iterator[tuple[str, str]]:
    """What is written for machines, best word first, and where."""
    for name in _META_NAMES:
        for text in found.metas.get(name, ()):
            yield f"meta {name}", text
    is_article = "article" in (found.meta("og:type") or "").lower()
    dated = [
        thing
        for thing in with_main_entities(things)
        if _DATED_TYPES & types_of(thing) or (is_article and "WebPage" in types_of(thing))
    ]
    stated = [
        (f"JSON-LD {key}", date)
        for thing in dated
        for key in ("datePublished", "dateCreated")
        if isinstance(date := thing.get(key), str)
    ]
    if len({date[:10] for _, date in stated}) < _LISTED:
        yield from stated


class _Shown(NamedTuple):
    date: datetime
    looks: tuple[str | None, str | None]
    is_beside_headline: bool
    says_published: bool


def _shown(tree: LexborHTMLParser, now: datetime, day_first: bool) -> datetime | None:
    """The date people see at the headline."""
    heading = tree.css_first("h1")
    headline = {holder.mem_id for holder in _holders(heading, 4)} if heading else set()
    nodes = tree.css(_DATED_ELEMENTS)[:_MAX_ELEMENTS]
    dates = [shown for node in nodes if (shown := _dated(node, headline, now, day_first))]
    for shown in dates:
        alike = {other.date.date() for other in dates if other.looks == shown.looks}
        if len(alike) < _LISTED and (shown.is_beside_headline or (shown.says_published and len(alike) == 1)):
            return shown.date
    return None


def _dated(node: LexborNode, headline: set[int], now: datetime, day_first: bool) -> _Shown | None:
    attributes = node.attributes
    looks = (node.tag, attributes.get("class"))
    text = attributes.get("datetime") or attributes.get("content") or short_text(node, _MAX_DATE_TEXT)
    if not text or _NOT_PUBLISHED.search(looks[1] or ""):
        return None
    # "Published 3 May 2024, updated 5 May" has what we look for in front.
    date = read_date(_NOT_PUBLISHED.split(text, 1)[0], now, day_first)
    if date is None:
        return None
    is_beside_headline = False
    for holder in _holders(node, 8):
        if holder.mem_id in headline:
            is_beside_headline = True
            break
        if holder.tag in ("footer", "aside", "nav") or _ASIDE.search(_names(holder)):
            return None
    says_published = any(_SAYS_PUBLISHED.search(f"{key} {value}") for key, value in attributes.items())
    return _Shown(date, looks, is_beside_headline, says_published)


def _holders(node: LexborNode, levels: int) -> Iterator[LexborNode]:
    """The elements around `node`, from the inside out, up to <body>."""
    holder = node.parent
    while holder is not None and levels and holder.tag not in ("body", "html"):
        yield holder
        holder, levels = holder.parent, levels - 1


def _names(node: LexborNode) -> str:
    return f"{node.attributes.get('class') or ''} {node.id or ''}"


def _is_home(url: str) -> bool:
    return url.rstrip("/").count("/") < 3


def _day_in(url: str) -> str | None:
    found = _IN_PATH.search(url.partition("?")[0])
    return "-".join(part for part in found.groups() if part) if found else None
