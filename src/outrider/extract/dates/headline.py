"""The date that people see at the headline of a page.

Lists, comments and footers hold dates of their own. So of the elements that are made for dates only those
count that stand at the headline or say that they are about publishing, and none that repeat like the items of
a list. Failing these, a few words next to the headline will do, if a date is all that they are about.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.dates.read_date import read_date
from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.survey import Survey

_DATED_ELEMENTS = (
    "time, [itemprop=datePublished], [class*=date i], [class*=publish i], [class*=posted i], "
    "[class*=timestamp i], [class*=byline i], [class*=post-meta i], [class*=entry-meta i], "
    "[class*=article-meta i]"
)
_MAX_ELEMENTS = 300
_MAX_DATE_TEXT = 160
_LISTED = 4  # so many different days in elements that look the same: a list of other pages
_ASIDE = re.compile(
    r"comment|respon[ds]|related|sidebar|footer|widget|recommend|promo(?!ted)|teaser|copyright|trending|popular"
    r"|latest|calendar|upcoming|event|carousel|review",
    re.IGNORECASE,
)
_NOT_PUBLISHED = re.compile(
    r"updated|modified|revis|effective|aktualisiert|copyright|expire|deadline|joined|©", re.IGNORECASE
)
_SAYS_PUBLISHED = re.compile(r"publish|pub-?date|posted", re.IGNORECASE)
_MAX_HEADINGS = 40
_SHORTEST_HEADLINE = 6
_LONG_HEADLINE = 20  # characters that nothing but the headline repeats
_BETWEEN = re.compile(r"\n|\s[|–—·:-]\s")  # the headline and the name of the site, in a title
_MAX_HEADLINE = 300
_MAX_TOLD = 120
_NOT_TOLD = ("nav", "aside", "footer", "script", "style", "form")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_IS_ABOUT_MORE = re.compile(
    r"\b(?:until|from|through|starts?|ends?|due|born|when|register|comment by)\b"
    r"|\b(?:bis|ab|vom|termin|kommentar von)\b|(?<![.…])[.!?]\Z",
    re.IGNORECASE,
)


def date_at_headline(
    tree: LexborHTMLParser, found: Survey, now: datetime, day_first: bool
) -> datetime | None:
    heading = _headline(tree, found)
    return _shown(tree, heading, now, day_first) or _told(heading, now, day_first)


def _headline(tree: LexborHTMLParser, found: Survey) -> LexborNode | None:
    """The heading that the page is also called by, or the first of all: that of a site's name, maybe."""
    named = (found.meta("og:title") or "", found.title or "")
    titles = "\n".join(_folded(title[: 2 * _MAX_HEADLINE]) for title in named)
    parts = [part for part in _BETWEEN.split(titles) if len(part) >= _LONG_HEADLINE]
    first = tree.css_first("h1")
    headings = tree.css("h1, h2" if first else "h2, h3")[:_MAX_HEADINGS]
    best, longest = first, _SHORTEST_HEADLINE - 1
    for heading in headings:
        text = _folded(short_text(heading, _MAX_HEADLINE) or "")
        # A label may stand in the heading beside the headline, as the name of the site does in the title.
        if len(text) > longest and (text in titles or any(part in text for part in parts)):
            best, longest = heading, len(text)
    return best


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


class _Shown(NamedTuple):
    date: datetime
    looks: tuple[str | None, str | None]
    is_beside_headline: bool
    says_published: bool


def _shown(
    tree: LexborHTMLParser, heading: LexborNode | None, now: datetime, day_first: bool
) -> datetime | None:
    """The date in an element that is made for it."""
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


def _told(heading: LexborNode | None, now: datetime, day_first: bool) -> datetime | None:
    """The one date in a few words next to the headline, whatever their element is called."""
    dates = [
        date
        for block in (_neighbours(heading) if heading else ())
        if (date := _only_date(short_text(block, _MAX_TOLD) or "", now, day_first))
    ]
    return dates[0] if len({date.date() for date in dates}) == 1 else None


def _only_date(text: str, now: datetime, day_first: bool) -> datetime | None:
    if len(set(_YEAR.findall(text))) != 1 or _IS_ABOUT_MORE.search(text):
        return None
    return read_date(_NOT_PUBLISHED.split(text, 1)[0], now, day_first)


def _neighbours(heading: LexborNode) -> Iterator[LexborNode]:
    """What stands before and after the headline, and before and after what holds it."""
    for node in (heading, *_holders(heading, 2)):
        if node.parent is None or node.parent.tag == "body":
            return
        for block in (*islice(_siblings(node, "next"), 4), *islice(_siblings(node, "prev"), 2)):
            if block.tag not in _NOT_TOLD and not _ASIDE.search(_names(block)):
                yield block


def _siblings(node: LexborNode, direction: str) -> Iterator[LexborNode]:
    sibling = getattr(node, direction)
    while sibling is not None:
        if sibling.tag and not sibling.tag.startswith("-"):
            yield sibling
        sibling = getattr(sibling, direction)
