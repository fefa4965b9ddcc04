"""The visible date at the headline of a page.

Lists, comments and footers hold dates of their own. So of the elements that are made for dates only those
count that stand at the headline or say that they are about publishing, and none that repeat like the items of
a list. Failing these, a few words next to the headline will do, if a date is all that they are about; then a
date that stands alone between the headline and the next heading. A date with a label such as "updated" in
front of it never counts, and neither does one in a link that shows another page.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import islice, takewhile
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.dates.read_date import read_date
from outrider.extract.metadata.headline import TEXT, following, holders
from outrider.extract.metadata.page_kind import is_reply
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.tree.short_text import short_text

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
_PUBLISHED_LABEL = re.compile(
    r"\W*(?:(?:first |date |originally )?(?:published|posted)|publi(?:cation|sh) date"
    r"|veröffentlicht|publié)\b",
    re.IGNORECASE,
)
_MAX_LABELLED = 60
_MAX_TOLD = 120
_MAX_AFTER = 120  # nodes
_MAX_ALONE = 40
_INLINE = ("b", "i", "em", "strong", "span", "time", "small")
_HEADINGS = ("h1", "h2", "h3", "h4")
_NOT_TOLD = ("nav", "aside", "footer", "script", "style", "form")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_IS_ABOUT_MORE = re.compile(
    r"\b(?:until|from|through|starts?|ends?|due|born|when|register|comment by)\b"
    r"|\b(?:bis|ab|vom|termin|kommentar von)\b|\brelease date\b|(?<![.…])[.!?]\Z",
    re.IGNORECASE,
)


def date_at_headline(parsed: ParsedPage, now: datetime) -> datetime | None:
    """The date in an element made for it, else in a few words beside the headline, else alone after it."""
    heading, day_first = parsed.headline, parsed.is_day_first
    return (
        _shown(parsed.tree, heading, now, day_first)
        or _told(heading, now, day_first)
        or _after(heading, now, day_first)
    )


class _Shown(NamedTuple):
    date: datetime
    looks: tuple[str | None, str | None]
    distance: int  # levels from the headline up to what holds both; 0 where that is too far
    says_published: bool


def _shown(
    tree: LexborHTMLParser, heading: LexborNode | None, now: datetime, day_first: bool
) -> datetime | None:
    """The date in an element that is made for it; if others look the same, that nearest to the headline."""
    around = {holder.mem_id: level for level, holder in enumerate(holders(heading, 4), 1)} if heading else {}
    nodes = tree.css(_DATED_ELEMENTS)[:_MAX_ELEMENTS]
    dates = [shown for node in nodes if (shown := _dated(node, around, now, day_first))]
    alike: defaultdict[tuple[str | None, str | None], list[_Shown]] = defaultdict(list)
    for shown in dates:
        alike[shown.looks].append(shown)
    for shown in dates:
        days = {other.date.date() for other in alike[shown.looks]}
        if shown.says_published and len(days) == 1:
            return shown.date
        if shown.distance and (len(days) < _LISTED or _is_nearest(shown, alike[shown.looks])):
            return shown.date
    return None


def _is_nearest(shown: _Shown, alike: Sequence[_Shown]) -> bool:
    """Whether no other day stands as near to the headline."""
    near = {other.date.date() for other in alike if 0 < other.distance <= shown.distance}
    return len(near) == 1


def _dated(node: LexborNode, around: Mapping[int, int], now: datetime, day_first: bool) -> _Shown | None:
    attributes = node.attributes
    looks = (node.tag, attributes.get("class"))
    text = attributes.get("datetime") or attributes.get("content") or short_text(node, _MAX_DATE_TEXT)
    if not text or _NOT_PUBLISHED.search(looks[1] or ""):
        return None
    # "Published 3 May 2024, updated 5 May" has what we look for in front.
    day = read_date(_NOT_PUBLISHED.split(text, 1)[0], now, day_first)
    if day is None or _NOT_PUBLISHED.search(_label(node)):
        return None
    says_published = any(_SAYS_PUBLISHED.search(f"{key} {value}") for key, value in attributes.items())
    is_labelled = _is_labelled(node)
    distance = 0
    for holder in holders(node, 8):
        if distance := around.get(holder.mem_id, 0):
            break
        if holder.tag in ("footer", "aside", "nav") or _belongs_elsewhere(holder, is_labelled):
            return None
    return _Shown(day, looks, distance, says_published or is_labelled)


def _is_labelled(node: LexborNode) -> bool:
    """Whether the text in front of the date, and nothing else with it, says that it is about publishing."""
    text = short_text(node.parent, _MAX_LABELLED) if node.parent is not None else None
    return bool(text and _PUBLISHED_LABEL.match(text))


def _label(node: LexborNode) -> str:
    """The text in front of a date, in what holds both."""
    around = short_text(node.parent, _MAX_TOLD) if node.parent is not None else None
    return around.partition(short_text(node, _MAX_TOLD) or "\n")[0][-_MAX_ALONE:] if around else ""


def _belongs_elsewhere(holder: LexborNode, is_labelled: bool) -> bool:
    if is_reply(holder):
        return True
    if _shows_another(holder):
        return True
    aside = _ASIDE.search(_names(holder))
    # What is known of a page stands in a column beside it as well; there it says what it is.
    return aside is not None and not (is_labelled and aside[0].lower() == "sidebar")


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


def _after(heading: LexborNode | None, now: datetime, day_first: bool) -> datetime | None:
    """The one date that stands alone between the headline and the next heading."""
    found: dict[date, datetime] = {}
    before = ""
    for node in following(heading, _MAX_AFTER) if heading else ():
        if node.tag in _HEADINGS:
            break
        text = (node.text_content if node.tag == TEXT else node.attributes.get("datetime")) or ""
        text = text.strip()
        moment = _only_date(text, now, day_first) if len(text) <= _MAX_ALONE else None
        if moment and not _NOT_PUBLISHED.search(before) and _stands_alone(node):
            found.setdefault(moment.date(), moment)
        before = text[-_MAX_ALONE:] or before
    return next(iter(found.values())) if len(found) == 1 else None


def _stands_alone(node: LexborNode) -> bool:
    """Whether a date is no part of a sentence, of a link or of what belongs to other pages."""
    around = next((holder for holder in holders(node, 4) if holder.tag not in _INLINE), None)
    if around is None or not short_text(around, _MAX_TOLD):
        return False
    return not any(holder.tag in ("a", "li") or _ASIDE.search(_names(holder)) for holder in holders(node, 4))


def _only_date(text: str, now: datetime, day_first: bool) -> datetime | None:
    text = _NOT_PUBLISHED.split(text, 1)[0]
    if len(_YEAR.findall(text)) != 1 or _IS_ABOUT_MORE.search(text):
        return None
    return read_date(text, now, day_first)


def _neighbours(heading: LexborNode) -> Iterator[LexborNode]:
    """What stands before and after the headline, and before and after what holds it."""
    for node in (heading, *holders(heading, 2)):
        if node.parent is None or node.parent.tag == "body":
            return
        below = takewhile(lambda block: block.tag not in _HEADINGS, _siblings(node, "next"))
        for block in (*islice(below, 4), *islice(_siblings(node, "prev"), 2)):
            if block.tag not in _NOT_TOLD and not _ASIDE.search(_names(block)) and not _shows_another(block):
                yield block


def _shows_another(block: LexborNode) -> bool:
    """Whether the block is a link that shows more than a date: the title of another page."""
    return block.tag == "a" and short_text(block, _MAX_LABELLED) is None


def _siblings(node: LexborNode, direction: str) -> Iterator[LexborNode]:
    sibling = getattr(node, direction)
    while sibling is not None:
        if sibling.tag and not sibling.tag.startswith("-"):
            yield sibling
        sibling = getattr(sibling, direction)
