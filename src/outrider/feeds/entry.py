"""Reads a `FeedEntry` from an <item> or an <entry> by the same rules, because feeds mix RSS and Atom."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from outrider.feeds.addresses import web_address
from outrider.feeds.dates import read_date
from outrider.feeds.headline import headline
from outrider.feeds.limits import MAX_ID, MAX_LISTED, MAX_NAME, MAX_TITLE
from outrider.feeds.links import Link, base_of, link_to, links_of, page_link
from outrider.feeds.markup import Element
from outrider.feeds.model import Enclosure, FeedEntry
from outrider.feeds.people import author_of
from outrider.feeds.sanitize import sanitized
from outrider.feeds.strings import line
from outrider.feeds.values import Guess, markup_of, text_of

_TITLES = ("title", "dc:title", "media:title", "itunes:title")
_AUTHORS = ("author", "dc:creator", "dc:author", "itunes:author", "googleplay:author", "media:credit")
_PUBLISHED = ("published", "issued", "pubdate", "dcterms:issued", "dcterms:created", "created")
_UPDATED = ("updated", "modified", "lastbuilddate", "dcterms:modified", "dc:date", "date", "lastmod")
_SUMMARIES = (
    "description",
    "summary",
    "dc:description",
    "dcterms:abstract",
    "itunes:summary",
    "itunes:subtitle",
    "abstract",
)
_CONTENTS = ("content:encoded", "content", "xhtml:body", "body", "xhtml:div", "fullitem")


@dataclass(frozen=True, slots=True)
class Context:
    """Values of the feed that apply to each entry."""

    base: str  # for relative addresses, before any xml:base
    author: str | None
    titles: Guess
    has_texts: bool


def entry_of(item: Element, context: Context) -> FeedEntry:
    base = context.base
    links = links_of(item, base)
    url = _url(item, links, base)
    published, updated = dates_of(item)
    summary, content = _texts(item, base) if context.has_texts else (None, None)
    return FeedEntry(
        url=url,
        title=_title(item, context.titles, base) or headline(summary, content, url),
        id=identifier_of(item, base),
        author=author_of(item, base, *_AUTHORS) or _source_author(item, base) or context.author,
        summary=summary,
        content=content,
        published_at=published or updated,
        updated_at=updated,
        categories=_categories(item),
        enclosures=_enclosures(item, links, base),
        comments_url=_comments(item, links, base),
    )


def _texts(item: Element, base: str) -> tuple[str | None, str | None]:
    """The summary and the content. If an item has description and summary, the second is its content."""
    content = first_markup(item, _CONTENTS, base)
    first, second = item.first("description"), item.first("summary")
    if content is None and first and second:
        if second.start < first.start:
            first, second = second, first
        return _markup(first, base) or _markup(second, base), _markup(second, base)
    return first_markup(item, _SUMMARIES, base) or _media_description(item, base), content


def _title(item: Element, guess: Guess, base: str) -> str | None:
    found = (title_of(parent, guess, base) for parent in _media_places(item))
    return next(filter(None, found), None)


def title_of(element: Element, guess: Guess, base: str) -> str | None:
    for child in element.all(*_TITLES):
        if title := markup_of(child, guess, base_of(child, base)):
            return _cut(title, base)
    return None


def _cut(title: str, base: str) -> str:
    short = title[:MAX_TITLE].rstrip()
    # The cut may have split a tag.
    return short if len(title) <= MAX_TITLE or "<" not in short else sanitized(short, base)


def first_markup(element: Element, names: tuple[str, ...], base: str) -> str | None:
    return next(filter(None, (_markup(child, base) for child in element.all(*names))), None)


def _markup(element: Element, base: str) -> str | None:
    return markup_of(element, Guess.MARKUP, base_of(element, base))


def identifier_of(element: Element, base: str) -> str | None:
    for child in element.all("guid", "id", "dc:identifier"):
        if text := line(text_of(child), MAX_ID):
            is_relative = child.name == "id" and ":" not in text and (child.base or text.startswith("/"))
            return web_address(text, base_of(child, base)) if is_relative else text
    return line(element.get("rdf:about"), MAX_ID)


def dates_of(element: Element) -> tuple[datetime | None, datetime | None]:
    return _date(element, _PUBLISHED), _date(element, _UPDATED)


def _date(element: Element, names: tuple[str, ...]) -> datetime | None:
    """The last date of the first of these names that has a date."""
    for name in names:
        dates = [date for child in element.all(name) if (date := read_date(text_of(child)))]
        if dates:
            return dates[-1]
    return read_date(element.get("lastmod"))


def _url(item: Element, links: list[Link], base: str) -> str | None:
    original = web_address(_text(item, "feedburner:origlink"), base)
    page = original or page_link(links) or _permalink(item, base) or _player(item, base)
    return page or link_to(links, "enclosure")


def _player(item: Element, base: str) -> str | None:
    players = (parent.first("media:player") for parent in _media_places(item))
    return next((web_address(player.get("url"), base_of(player, base)) for player in players if player), None)


def _permalink(item: Element, base: str) -> str | None:
    """The identifier as an address, if it looks like one and does not declare that it is none.

    A relative identifier must declare that it is an address. In RSS 1.0 the identifier is the address.
    """
    for identifier in item.all("guid", "id"):
        text = text_of(identifier)
        says = (identifier.get("ispermalink") or "").strip().lower()
        if (says in ("", "true") and _is_absolute(text)) or (says == "true" and "/" in text):
            return web_address(text, base_of(identifier, base))
    name = item.get("rdf:about") or ""
    return web_address(name, base) if _is_absolute(name) else None


def _is_absolute(address: str) -> bool:
    return address.strip().lower().startswith(("http:", "https:"))


def _comments(item: Element, links: list[Link], base: str) -> str | None:
    text = _text(item, "comments") or ""
    if _is_absolute(text) or text.startswith("/"):
        return web_address(text, base)
    replies = [link for link in links if link.rel == "replies" and link.type and link.is_for_readers]
    return replies[0].url if replies else None


def _source_author(item: Element, base: str) -> str | None:
    source = item.first("source")
    return author_of(source, base, "author") if source else None


def _media_description(item: Element, base: str) -> str | None:
    found = (first_markup(parent, ("media:description",), base) for parent in _media_places(item))
    return next(filter(None, found), None)


def _media_places(item: Element) -> Iterator[Element]:
    """The elements that may hold Media RSS fields: the item, its groups and its media."""
    groups = (item, *item.all("media:group"))
    yield from groups
    for group in groups:
        yield from group.all("media:content")


def _categories(item: Element) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for written in _names_of_categories(item):
        if name := line(written, MAX_NAME):
            found[name] = None
        if len(found) == MAX_LISTED:
            break
    return tuple(found)


def _names_of_categories(item: Element) -> Iterator[str]:
    for child in item.all("category", "dc:subject"):
        yield _name_of_category(child)
    yield from _nested_names(item)
    for child in item.all("media:category"):
        yield _name_of_category(child)
    for child in item.all("itunes:keywords", "media:keywords", "tags"):
        yield from text_of(child).split(",", MAX_LISTED)


def _nested_names(item: Element) -> Iterator[str]:
    """The iTunes categories, each before its subcategories."""
    pending = item.all("itunes:category")[::-1]
    while pending:
        category = pending.pop()
        yield category.get("text") or "" if category.children else _name_of_category(category)
        pending += category.all("itunes:category")[::-1]


def _name_of_category(element: Element) -> str:
    return element.get("label") or element.get("term") or element.get("text") or text_of(element)


def _enclosures(item: Element, links: list[Link], base: str) -> tuple[Enclosure, ...]:
    found: dict[str, Enclosure] = {}
    for element in _media(item):
        if url := web_address(element.get("url") or element.get("href"), base_of(element, base)):
            size = element.get("length") or element.get("filesize")
            found.setdefault(url, Enclosure(url, line(element.get("type"), 100), length(size)))
        if len(found) == MAX_LISTED:
            break
    for link in links:
        if link.rel == "enclosure" and len(found) < MAX_LISTED:
            found.setdefault(link.url, Enclosure(link.url, link.type, length(link.length)))
    return tuple(found.values())


def _media(item: Element) -> list[Element]:
    parents = (item, *item.all("media:group"))
    return [
        *item.all("enclosure"),
        *(child for parent in parents for child in parent.all("media:content")),
        *(child for parent in parents for child in parent.all("media:thumbnail")),
    ]


def length(written: str | None) -> int | None:
    written = (written or "").strip()
    return int(written) if written.isascii() and written.isdigit() and len(written) < 16 else None


def _text(element: Element, name: str) -> str | None:
    child = element.first(name)
    return text_of(child) if child else None
