"""The visible names of a page: at the headline, or in an element for bylines."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from outrider.extract.metadata.headline import TEXT, following, holders
from outrider.extract.metadata.page_kind import is_reply
from outrider.extract.metadata.person_name import MAX_AUTHOR, as_name, is_only_by, says_by, shown_name
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.tree.short_text import short_text

_ELEMENTS = "[rel~=author], [itemprop=author], [class*=author i], [class*=byline i], [class~=fn]"
_MAX_ELEMENTS = 60
_MADE_FOR_NAMES = re.compile(
    r"(?:^|\s)(?:author|byline|p-author|fn)(?:\s|$)|author-?_*name|byline-?_*name", re.IGNORECASE
)
_ELSEWHERE = re.compile(
    r"comment|respon[ds]|related|recommend|teaser|trending|popular|latest|carousel|testimonial", re.IGNORECASE
)
_PERSON_PAGE = re.compile(r"/(?:authors?|contributors?|writers?|columnists?)/[\w%.@-]", re.IGNORECASE)
_LISTED = 3  # so many different names in elements that look the same: a list of other pages
_MAX_AFTER = 120  # nodes
_MAX_PIECES = 12
_STEP = re.compile(r"\s[»›>/]\s")  # between the parts of the way to a page
_HEADINGS = ("h2", "h3", "h4")
_AFTER_NAME = re.compile(r"\s[-–—|·•»]\s|\s*[<(]")  # a date, a mailbox, a title
_AND = re.compile(r"\A\s*(?:,|&|\band\b|\bund\b|\bet\b|\by\b)\s*(?:and\s+)?", re.IGNORECASE)


class _Byline(NamedTuple):
    name: str
    looks: tuple[str | None, str | None]
    distance: int  # levels from the headline up to what holds both; 0 where that is too far
    is_made_for_names: bool


def byline_elements(parsed: ParsedPage) -> Iterator[str]:
    """The names in elements that are made for a byline, or that are called so and stand at the headline."""
    heading = parsed.headline
    around = {holder.mem_id: level for level, holder in enumerate(holders(heading, 4), 1)} if heading else {}
    bylines = [
        byline for node in parsed.tree.css(_ELEMENTS)[:_MAX_ELEMENTS] if (byline := _byline(node, around))
    ]
    for byline in bylines:
        alike = {other.name for other in bylines if other.looks == byline.looks}
        if (byline.is_made_for_names or byline.distance) and len(alike) < _LISTED:
            yield byline.name


def _byline(node: LexborNode, around: dict[int, int]) -> _Byline | None:
    name = _name_in(node)
    if name is None:
        return None
    distance = 0
    for holder in holders(node, 8):
        if distance := around.get(holder.mem_id, 0):
            break
        if holder.tag in ("nav", "blockquote") or is_reply(holder) or _ELSEWHERE.search(_names(holder)):
            return None
    attributes = node.attributes
    is_made = (
        attributes.get("itemprop") == "author"
        or "author" in (attributes.get("rel") or "").lower().split()
        or _MADE_FOR_NAMES.search(attributes.get("class") or "") is not None
    )
    return _Byline(name, (node.tag, attributes.get("class")), distance, is_made)


def byline_in_words(heading: LexborNode | None) -> str | None:
    """The name between the headline and the next heading: after "By", or in a link to a person's page."""
    is_next = False
    for node in following(heading, _MAX_AFTER) if heading is not None else ():
        if node.tag in _HEADINGS:
            return None
        if node.tag == TEXT:
            text = (node.text_content or "").strip()
            if (is_next or says_by(text)) and (name := shown_name(_AFTER_NAME.split(text, 1)[0])):
                return name
            is_next = is_only_by(text) or (is_next and not any(map(str.isalnum, text)))
        elif name := _name_in_link(node):
            return name
    return None


def _name_in_link(node: LexborNode) -> str | None:
    """The name in a link to a person's page."""
    if node.tag != "a" or not _PERSON_PAGE.search(node.attributes.get("href") or ""):
        return None
    return shown_name(short_text(node, MAX_AUTHOR) or "")


def _name_in(node: LexborNode) -> str | None:
    """The name or names in a byline, without the titles, dates and links beside them."""
    text = short_text(node, MAX_AUTHOR)
    if not text or _STEP.search(text):
        return None
    if (
        node.attributes.get("itemprop") == "author"
        and (inner := node.css_first("[itemprop=name]")) is not None
    ):
        stated = inner.attributes.get("content") or short_text(inner, MAX_AUTHOR)
        if stated and (name := as_name(stated)):
            return name
    return _linked_names(node, text) or shown_name(text) or _name_among_pieces(node)


def _linked_names(node: LexborNode, text: str) -> str | None:
    """The names that are links, where the byline begins with them."""
    rest = text
    names: list[str] = []
    for link in node.css("a")[:_MAX_PIECES]:
        shown = short_text(link, MAX_AUTHOR)
        name = shown_name(shown) if shown else None
        at = rest.find(shown) if shown and name else -1
        if at < 0 or not name or not shown:
            continue
        before = rest[:at]
        if before.strip() and not (is_only_by(before) if not names else _AND.fullmatch(before)):
            break
        names.append(name)
        rest = rest[at + len(shown) :]
    return ", ".join(dict.fromkeys(names)) or None


def _name_among_pieces(node: LexborNode) -> str | None:
    """The first of its texts that is a name: the one after "by", else one of two words or more."""
    parts = (part.text_content for part in node.traverse(include_text=True, skip_empty=True))
    pieces = [part.strip() for part in islice(filter(None, parts), _MAX_PIECES) if part.strip()]
    for before, piece in pairwise(pieces):
        if is_only_by(before) and (name := shown_name(piece)):
            return name
    names = (shown_name(piece) for piece in pieces if says_by(piece) or " " in piece)
    return next(filter(None, names), None)


def _names(node: LexborNode) -> str:
    return f"{node.attributes.get('class') or ''} {node.id or ''}"
