"""The visible names of a page: at the headline, or in an element for bylines."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.metadata.headline import TEXT, ancestors, following
from outrider.extract.metadata.page_kind import is_reply
from outrider.extract.metadata.person_name import (
    MAX_AUTHOR,
    as_name,
    begins_with_by,
    is_only_by,
    name_with_role,
    visible_name,
)
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.siblings import next_elements, previous_elements

_ELEMENTS = (
    "[rel~=author], [itemprop=author], [class*=author i], [class*=byline i], [class~=fn], [class~=posted]"
)
_DESCRIPTION = "[class*=author-desc i], [class*=author-bio i]"
_MAX_ELEMENTS = 60
_MADE_FOR_NAMES = re.compile(
    r"(?:^|\s)(?:author|byline|p-author|fn)(?:\s|$)|author-?_*name|byline-?_*name", re.IGNORECASE
)
_OTHER_CONTENT = re.compile(
    r"comment|respon[ds]|related|recommend|teaser|trending|popular|latest|carousel|testimonial", re.IGNORECASE
)
_PERSON_PAGE = re.compile(r"/(?:authors?|contributors?|writers?|columnists?)/[\w%.@-]", re.IGNORECASE)
_MIN_LISTED_NAMES = 3  # so many different names in elements that look the same: a list of other pages
_MAX_NODES_AFTER = 120  # nodes
_MAX_PIECES = 12
_MICROFORMAT = re.compile(r"(?:^|\s)[pu]-author(?:\s|$)")
_WRITTEN_BY = re.compile(r"written by\s", re.IGNORECASE)
_STEP = re.compile(r"\s[»›>/]\s")  # between the parts of the way to a page
_HEADINGS = ("h2", "h3", "h4")
_AFTER_NAME = re.compile(r"\s[-–—|·•»]\s|\s*[<(]")  # a date, a mailbox, a title
_AND = re.compile(r"\A\s*(?:,|&|\band\b|\bund\b|\bet\b|\by\b)\s*(?:and\s+)?", re.IGNORECASE)


class _Byline(NamedTuple):
    name: str
    appearance: tuple[str | None, str | None]
    distance: int  # levels from the headline up to what holds both; 0 where that is too far
    is_made_for_names: bool


def byline_elements(parsed: ParsedPage) -> Iterator[str]:
    """The names in elements that are made for a byline, or that are called so and stand at the headline."""
    heading = parsed.headline
    around = (
        {ancestor.mem_id: level for level, ancestor in enumerate(ancestors(heading, 4), 1)} if heading else {}
    )
    bylines = [
        byline for node in parsed.tree.css(_ELEMENTS)[:_MAX_ELEMENTS] if (byline := _byline(node, around))
    ]
    for byline in bylines:
        alike = {other.name for other in bylines if other.appearance == byline.appearance}
        if (byline.is_made_for_names or byline.distance) and len(alike) < _MIN_LISTED_NAMES:
            yield byline.name


def _byline(node: LexborNode, around: dict[int, int]) -> _Byline | None:
    name = _name_in(node)
    attributes = node.attributes
    names = attributes.get("class") or ""
    is_posted_by = "posted" in names.split() and begins_with_by(short_text(node, MAX_AUTHOR) or "")
    if name is None or ("posted" in names.split() and not is_posted_by):
        return None
    distance = 0
    for ancestor in ancestors(node, 8):
        if distance := around.get(ancestor.mem_id, 0):
            break
        if (
            ancestor.tag in ("nav", "blockquote")
            or is_reply(ancestor)
            or _OTHER_CONTENT.search(_names(ancestor))
        ):
            return None
    is_made = (
        is_posted_by
        or attributes.get("itemprop") == "author"
        or "author" in (attributes.get("rel") or "").lower().split()
        or _MADE_FOR_NAMES.search(names) is not None
    )
    return _Byline(name, (node.tag, attributes.get("class")), distance, is_made)


def byline_in_words(heading: LexborNode | None) -> str | None:
    """The name between the headline and the next heading: after "By", or in a link to a person's page."""
    is_next = False
    for node in following(heading, _MAX_NODES_AFTER) if heading is not None else ():
        if node.tag in _HEADINGS:
            return None
        if node.tag == TEXT:
            text = (node.text_content or "").strip()
            is_by = is_next or begins_with_by(text)
            if is_by and (name := visible_name(_AFTER_NAME.split(text, 1)[0], with_role=is_next)):
                return name
            if name := name_with_role(text):
                return name
            is_next = is_only_by(text) or (is_next and not any(map(str.isalnum, text)))
        elif name := _name_in_link(node):
            return name
    return None


def name_of_author_box(tree: LexborHTMLParser) -> str | None:
    """The name at a heading "Written by Ann Lee" or "Authors", or in front of an author's description.

    A page with several such names has none that is its author's for sure.
    """
    names: set[str | None] = set()
    for heading in tree.css("h2, h3, h4, h5, h6")[:_MAX_ELEMENTS]:
        text = short_text(heading, MAX_AUTHOR) or ""
        if _WRITTEN_BY.match(text):
            names.add(visible_name(text))
        elif is_only_by(text) and (below := next(next_elements(heading), None)):
            names.add(_names_of_items(below))
    for node in tree.css(_DESCRIPTION)[:_MAX_PIECES]:
        above = next(previous_elements(node), None)
        text = (short_text(above, MAX_AUTHOR) if above else None) or ""
        names.add(visible_name(text) if " " in text else None)
    names.discard(None)
    return names.pop() if len(names) == 1 else None


def _names_of_items(node: LexborNode) -> str | None:
    """The names in a list of names, or the name that is all of the text."""
    texts = [short_text(each, MAX_AUTHOR) or "" for each in node.css("li")[:_MAX_PIECES] or [node]]
    names = [name for text in texts if (name := visible_name(text))]
    return ", ".join(names) if len(names) == len(texts) else None


def _name_in_link(node: LexborNode) -> str | None:
    """The name in a link to a person's page."""
    if node.tag != "a" or not _PERSON_PAGE.search(node.attributes.get("href") or ""):
        return None
    return visible_name(short_text(node, MAX_AUTHOR) or "")


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
    if _MICROFORMAT.search(node.attributes.get("class") or "") and len(text.split()) == 1:
        return as_name(text)  # the name of an account, which may begin with a small letter
    return _linked_names(node, text) or visible_name(text) or _name_among_pieces(node)


def _linked_names(node: LexborNode, text: str) -> str | None:
    """The names that are links, where the byline begins with them."""
    rest = text
    names: list[str] = []
    for link in node.css("a")[:_MAX_PIECES]:
        shown = short_text(link, MAX_AUTHOR)
        name = visible_name(shown) if shown else None
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
        if is_only_by(before) and (name := visible_name(piece)):
            return name
    names = (visible_name(piece) for piece in pieces if begins_with_by(piece) or " " in piece)
    return next(filter(None, names), None)


def _names(node: LexborNode) -> str:
    return f"{node.attributes.get('class') or ''} {node.id or ''}"
