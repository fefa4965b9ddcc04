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
from outrider.extract.metadata.headline import TEXT, ancestors, following
from outrider.extract.metadata.page_kind import is_reply
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.siblings import next_elements, previous_elements

_DATED_ELEMENTS = (
    "time, [itemprop=datePublished]:not(meta), [class*=date i], [class*=publish i], [class*=posted i], "
    "[class*=timestamp i], [class*=byline i], [class*=post-meta i], [class*=entry-meta i], "
    "[class*=article-meta i]"
)
_MAX_ELEMENTS = 300
_MAX_DATE_TEXT = 160
_MIN_LISTED_DAYS = 4  # so many different days in elements that look the same: a list of other pages
_ASIDE = re.compile(
    r"comment|respon[ds]|related|sidebar|footer|widget|recommend|promo(?!ted)|teaser|copyright|trending|popular"
    r"|latest|calendar|upcoming|event|carousel|review",
    re.IGNORECASE,
)
_NOT_PUBLISHED = re.compile(
    r"updated|modified|revis|effective|aktualisiert|copyright|expire|deadline|joined|release.?date|©",
    re.IGNORECASE,
)
_SAYS_PUBLISHED = re.compile(r"publish|pub-?date|posted", re.IGNORECASE)
_PUBLISHED_LABEL = re.compile(
    r"\W*(?:(?:first |date |originally )?(?:published|posted)|publi(?:cation|sh) date"
    r"|veröffentlicht|publié)\b",
    re.IGNORECASE,
)
_MAX_LABELLED = 60
_MAX_NEIGHBOUR_TEXT = 120
_MAX_NODES_AFTER = 120  # nodes
_MAX_LONE_DATE = 40
_INLINE = ("b", "i", "em", "strong", "span", "time", "small")
_HEADINGS = ("h1", "h2", "h3", "h4")
_IGNORED_TAGS = ("nav", "aside", "footer", "script", "style", "form")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_OTHER_MEANING = re.compile(
    r"\b(?:until|from|through|starts?|ends?|due|born|when|register|comment by)\b"
    r"|\b(?:bis|ab|vom|termin|kommentar von)\b|\brelease date\b|(?<![.…])[.!?]\Z",
    re.IGNORECASE,
)


def date_at_headline(parsed: ParsedPage, now: datetime) -> datetime | None:
    """The date in an element made for it, else in a few words beside the headline, else alone after it."""
    heading, day_first = parsed.headline, parsed.is_day_first
    return (
        _date_in_element(parsed.tree, heading, now, day_first)
        or _date_in_neighbours(heading, now, day_first)
        or _date_after(heading, now, day_first)
    )


class _DateElement(NamedTuple):
    date: datetime
    appearance: tuple[str | None, str | None]
    distance: int  # levels from the headline up to what holds both; 0 where that is too far
    says_published: bool


def _date_in_element(
    tree: LexborHTMLParser, heading: LexborNode | None, now: datetime, day_first: bool
) -> datetime | None:
    """The date in an element that is made for it; if others look the same, that nearest to the headline."""
    around = (
        {ancestor.mem_id: level for level, ancestor in enumerate(ancestors(heading, 4), 1)} if heading else {}
    )
    nodes = tree.css(_DATED_ELEMENTS)[:_MAX_ELEMENTS]
    dates = [element for node in nodes if (element := _read_element(node, around, now, day_first))]
    alike: defaultdict[tuple[str | None, str | None], list[_DateElement]] = defaultdict(list)
    for element in dates:
        alike[element.appearance].append(element)
    for element in dates:
        days = {other.date.date() for other in alike[element.appearance]}
        if element.says_published and len(days) == 1:
            return element.date
        if element.distance and (
            len(days) < _MIN_LISTED_DAYS or _is_nearest(element, alike[element.appearance])
        ):
            return element.date
    return None


def _is_nearest(element: _DateElement, alike: Sequence[_DateElement]) -> bool:
    """Whether no other day stands as near to the headline."""
    near = {other.date.date() for other in alike if 0 < other.distance <= element.distance}
    return len(near) == 1


def _read_element(
    node: LexborNode, around: Mapping[int, int], now: datetime, day_first: bool
) -> _DateElement | None:
    attributes = node.attributes
    appearance = (node.tag, attributes.get("class"))
    text = attributes.get("datetime") or attributes.get("content") or short_text(node, _MAX_DATE_TEXT)
    if not text or _NOT_PUBLISHED.search(appearance[1] or ""):
        return None
    # "Published 3 May 2024, updated 5 May" has what we look for in front.
    day = read_date(_NOT_PUBLISHED.split(text, 1)[0], now, day_first)
    if day is None or _NOT_PUBLISHED.search(_label(node)):
        return None
    says_published = any(_SAYS_PUBLISHED.search(f"{key} {value}") for key, value in attributes.items())
    is_labelled = _is_labelled(node)
    distance = 0
    for ancestor in ancestors(node, 8):
        if distance := around.get(ancestor.mem_id, 0):
            break
        if ancestor.tag in ("footer", "aside", "nav") or _belongs_elsewhere(ancestor, is_labelled):
            return None
    return _DateElement(day, appearance, distance, says_published or is_labelled)


def _is_labelled(node: LexborNode) -> bool:
    """Whether the text in front of the date, and nothing else with it, says that it is about publishing."""
    text = short_text(node.parent, _MAX_LABELLED) if node.parent is not None else None
    return bool(text and _PUBLISHED_LABEL.match(text))


def _label(node: LexborNode) -> str:
    """The text in front of a date, in what holds both."""
    around = short_text(node.parent, _MAX_NEIGHBOUR_TEXT) if node.parent is not None else None
    return (
        around.partition(short_text(node, _MAX_NEIGHBOUR_TEXT) or "\n")[0][-_MAX_LONE_DATE:] if around else ""
    )


def _belongs_elsewhere(ancestor: LexborNode, is_labelled: bool) -> bool:
    if is_reply(ancestor):
        return True
    if _shows_another(ancestor):
        return True
    aside = _ASIDE.search(_names(ancestor))
    # What is known of a page stands in a column beside it as well; there it says what it is.
    return aside is not None and not (is_labelled and aside[0].lower() == "sidebar")


def _names(node: LexborNode) -> str:
    return f"{node.attributes.get('class') or ''} {node.id or ''}"


def _date_in_neighbours(heading: LexborNode | None, now: datetime, day_first: bool) -> datetime | None:
    """The one date in a few words next to the headline, whatever their element is called."""
    dates = [
        date
        for block in (_neighbours(heading) if heading else ())
        if (date := _only_date(short_text(block, _MAX_NEIGHBOUR_TEXT) or "", now, day_first))
    ]
    return dates[0] if len({date.date() for date in dates}) == 1 else None


def _date_after(heading: LexborNode | None, now: datetime, day_first: bool) -> datetime | None:
    """The one date that stands alone between the headline and the next heading."""
    found: dict[date, datetime] = {}
    before = ""
    for node in following(heading, _MAX_NODES_AFTER) if heading else ():
        if node.tag in _HEADINGS:
            break
        text = (node.text_content if node.tag == TEXT else node.attributes.get("datetime")) or ""
        text = text.strip()
        moment = _only_date(text, now, day_first) if len(text) <= _MAX_LONE_DATE else None
        if moment and not _NOT_PUBLISHED.search(before) and _stands_alone(node):
            found.setdefault(moment.date(), moment)
        before = text[-_MAX_LONE_DATE:] or before
    return next(iter(found.values())) if len(found) == 1 else None


def _stands_alone(node: LexborNode) -> bool:
    """Whether a date is no part of a sentence, of a link or of what belongs to other pages."""
    around = next((ancestor for ancestor in ancestors(node, 4) if ancestor.tag not in _INLINE), None)
    if around is None or not short_text(around, _MAX_NEIGHBOUR_TEXT):
        return False
    return not any(
        ancestor.tag in ("a", "li") or _ASIDE.search(_names(ancestor)) for ancestor in ancestors(node, 4)
    )


def _only_date(text: str, now: datetime, day_first: bool) -> datetime | None:
    text = _NOT_PUBLISHED.split(text, 1)[0]
    if len(_YEAR.findall(text)) != 1 or _OTHER_MEANING.search(text):
        return None
    return read_date(text, now, day_first)


def _neighbours(heading: LexborNode) -> Iterator[LexborNode]:
    """What stands before and after the headline, and before and after what holds it."""
    for node in (heading, *ancestors(heading, 2)):
        if node.parent is None or node.parent.tag == "body":
            return
        below = takewhile(lambda block: block.tag not in _HEADINGS, next_elements(node))
        for block in (*islice(below, 4), *islice(previous_elements(node), 2)):
            if (
                block.tag not in _IGNORED_TAGS
                and not _ASIDE.search(_names(block))
                and not _shows_another(block)
            ):
                yield block


def _shows_another(block: LexborNode) -> bool:
    """Whether the block is a link that shows more than a date: the title of another page."""
    return block.tag == "a" and short_text(block, _MAX_LABELLED) is None
