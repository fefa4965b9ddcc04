"""When a page was published. No date is better than a wrong one.

In this order: meta tags, JSON-LD, the first post of a thread, the visible date at the headline, a
day in the URL. Visible dates on a home page, a list or a product page are not used: they belong to other
things.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from outrider.extract.article.url import article_url
from outrider.extract.dates.headline import date_at_headline
from outrider.extract.dates.read_date import read_date
from outrider.extract.metadata.headline import ancestors
from outrider.extract.metadata.page_kind import is_for_sale, is_home, is_list, is_reply
from outrider.extract.metadata.structured import Thing, types_of, with_main_entities
from outrider.extract.metadata.thread import first_date, is_thread
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.tree.survey import PageSurvey

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
    "published-date",
    "published_date",
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
_UPDATE_NAMES = ("article:modified_time", "og:updated_time", "datemodified", "dateupdated", "last-modified")
_BODY_ATTRIBUTES = ("data-pubdate", "data-publish-date", "data-published", "data-published-at")
_DATED_TYPES = frozenset(
    """
    Article NewsArticle BlogPosting PressRelease Report TechArticle ScholarlyArticle MedicalScholarlyArticle
    OpinionNewsArticle AnalysisNewsArticle ReportageNewsArticle ReviewNewsArticle BackgroundNewsArticle
    LiveBlogPosting AdvertiserContentArticle SpecialAnnouncement SocialMediaPosting DiscussionForumPosting
    Question Recipe PodcastEpisode
    """.split()  # noqa: SIM905
)
_MICRODATA = "meta datepublished"
_MAX_LEVELS = 12
_MIN_LISTED_DAYS = 4  # so many different days on one page: a list of other pages
_IN_PATH = re.compile(
    r"/((?:19|20)\d{2})/(\d{1,2}|[a-z]{3,9})/(\d{1,2})(?:/|$)"
    r"|[/-]((?:19|20)\d{2})-(\d{2})-(\d{2})(?:[/_.+-]|$)"
    r"|[/_-](20\d{2})(\d{2})(\d{2})(?:[/_.+-]|$)",
    re.IGNORECASE,
)


def published_at(parsed: ParsedPage, now: datetime) -> tuple[datetime | None, str]:
    """The day, with the time if it is known, on which the page was published, and where it was found."""
    found, things, url, day_first = parsed.found, parsed.things, parsed.url, parsed.is_day_first
    if _shows_other_pages(url, found, things):
        return None, ""
    for where, text in _machine_readable(parsed):
        if (date := read_date(text, now, day_first)) and not (where == _MICRODATA and _is_of_reply(parsed)):
            return date, where
    if is_home(url):
        return None, ""
    if is_thread(url, things) and (date := first_date(parsed, now)):
        return date, "first post"
    if not is_for_sale(parsed) and (date := date_at_headline(parsed, now)):
        return date, "date at the headline"
    return read_date(_day_in(url), now), "address"


def _shows_other_pages(url: str, found: PageSurvey, things: Sequence[Thing]) -> bool:
    """Whether the page states only the dates of what it shows, or of its entry in the site's system."""
    if is_home(url) and "article" not in (found.meta("og:type") or "article").lower():
        return True
    return is_list(url, things) and not any(_DATED_TYPES & types_of(thing) for thing in things)


def _machine_readable(parsed: ParsedPage) -> Iterator[tuple[str, str]]:
    """The machine-readable dates, best first, and where each was found."""
    found, things, url = parsed.found, parsed.things, parsed.url
    updates = _updates(found)
    for name in _META_NAMES:
        for text in found.metas.get(name, ()):
            if text not in updates:
                yield f"meta {name}", text
    # Systems date every WebPage, shops and services too. Only that of an article was published on that day.
    is_article = "article" in (found.meta("og:type") or "").lower() and article_url(url)
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
    if len({date[:10] for _, date in stated}) < _MIN_LISTED_DAYS:
        yield from stated
    if body := parsed.tree.body:
        yield from ((key, date) for key, date in body.attributes.items() if date and key in _BODY_ATTRIBUTES)


def _updates(found: PageSurvey) -> set[str]:
    """The moments of the last change, on a page that is no article.

    Site generators that know only the last change print its moment as that of publication too.
    """
    if "website" not in (found.meta("og:type") or "").lower():
        return set()
    updates = (text for name in _UPDATE_NAMES for text in found.metas.get(name, ()))
    return {text for text in updates if ":" in text}


def _is_of_reply(parsed: ParsedPage) -> bool:
    """Whether microdata says that its first date is that of a review, an answer or a comment."""
    dated = parsed.tree.css_first("meta[itemprop=datePublished i]")
    return dated is not None and any(map(is_reply, ancestors(dated, _MAX_LEVELS)))


def _day_in(url: str) -> str | None:
    found = _IN_PATH.search(url.partition("?")[0])
    if found is None:
        return None
    year, month, day = (part for part in found.groups() if part)
    return f"{year}-{month}-{day}" if month.isdigit() else f"{day} {month} {year}"
