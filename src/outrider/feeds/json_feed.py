"""Reads JSON Feed, versions 1 and 1.1."""

import json
import re
from collections.abc import Iterator
from typing import Any

from outrider.errors import InvalidFeed
from outrider.feeds.addresses import web_address
from outrider.feeds.dates import read_date
from outrider.feeds.headline import headline
from outrider.feeds.limits import MAX_ENTRIES, MAX_ID, MAX_LISTED, MAX_MARKUP, MAX_NAME, MAX_TITLE, MAX_URL
from outrider.feeds.model import Enclosure, Feed, FeedEntry
from outrider.feeds.people import name_in
from outrider.feeds.sanitize import sanitized
from outrider.feeds.strings import line
from outrider.feeds.values import safe_text

_ADDRESS = re.compile(r"https?://|mailto:")


def parse_json_feed(text: str, url: str) -> Feed:
    """Parse a JSON Feed. Raises InvalidFeed for JSON without items or without the version of a feed."""
    try:
        feed = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise InvalidFeed("this is no feed: its JSON is broken") from error
    if not isinstance(feed, dict) or not (_is_versioned(feed) or isinstance(feed.get("items"), list)):
        raise InvalidFeed("this is JSON, but no JSON Feed")
    home = web_address(_string(feed, "home_page_url"), url) or url
    author = _authors(feed)
    return Feed(
        title=_text(feed, "title", MAX_TITLE, url) or home,
        link=home,
        description=_text(feed, "description", MAX_MARKUP, url),
        language=_line(feed, "language", MAX_NAME),
        author=author,
        entries=tuple(_entry(item, home, author) for item in _objects(feed, "items", MAX_ENTRIES)),
        self_url=web_address(_string(feed, "feed_url"), url),
        hub=next(
            (hub for each in _objects(feed, "hubs", 10) if (hub := web_address(_string(each, "url"), url))),
            None,
        ),
        next_url=web_address(_string(feed, "next_url"), url),
    )


def _entry(item: dict[str, Any], base: str, feed_author: str | None) -> FeedEntry:
    html, text = _string(item, "content_html"), _string(item, "content_text")
    content = (sanitized(html, base) if html else safe_text(text or "", base)) or None
    summary = _text(item, "summary", MAX_MARKUP, base)
    identifier = _line(item, "id", MAX_ID)
    published, updated = read_date(_string(item, "date_published")), read_date(_string(item, "date_modified"))
    url = _url(item, identifier, base)
    return FeedEntry(
        url=url,
        title=_text(item, "title", MAX_TITLE, base) or headline(summary, content, url),
        id=identifier,
        author=_authors(item) or feed_author,
        summary=summary,
        content=content,
        published_at=published or updated,
        updated_at=updated,
        categories=_tags(item),
        enclosures=tuple(_attachments(item, base)),
    )


def _url(item: dict[str, Any], identifier: str | None, base: str) -> str | None:
    for written in (_string(item, "url"), _string(item, "external_url")):
        if url := web_address(written, base):
            return url
    return (
        web_address(identifier, base)
        if identifier and identifier.startswith(("http://", "https://"))
        else None
    )


def _attachments(item: dict[str, Any], base: str) -> Iterator[Enclosure]:
    for attachment in _objects(item, "attachments", MAX_LISTED):
        if url := web_address(_string(attachment, "url"), base):
            size = attachment.get("size_in_bytes")
            is_size = isinstance(size, int) and 0 <= size < 1 << 53
            yield Enclosure(url, _line(attachment, "mime_type", 100), size if is_size else None)


def _authors(parent: dict[str, Any]) -> str | None:
    """Version 1.1 has a list, version 1 an object. Feeds use both forms under both keys, and plain names."""
    names = [_person(each) for key in ("authors", "author") for each in _listed(parent, key)]
    # A repeated name keeps its last position.
    once = reversed(dict.fromkeys(reversed(names)))
    return line(", ".join(name for name in once if name), MAX_NAME)


def _listed(parent: dict[str, Any], key: str) -> list[Any]:
    value = parent.get(key)
    return value[:MAX_LISTED] if isinstance(value, list) else [value]


def _person(person: Any) -> str | None:
    """The name of a person, or else the address of a page or a mailbox."""
    if isinstance(person, str):
        return name_in(person)
    if not isinstance(person, dict):
        return None
    address = _line(person, "url", MAX_NAME) or ""
    known_by = address.removeprefix("mailto:") if _ADDRESS.match(address) else None
    return name_in(_string(person, "name")) or known_by


def _tags(item: dict[str, Any]) -> tuple[str, ...]:
    tags = item.get("tags")
    listed = tags[:MAX_LISTED] if isinstance(tags, list) else []
    return tuple(
        dict.fromkeys(name for tag in listed if isinstance(tag, str) and (name := line(tag, MAX_NAME)))
    )


def _is_versioned(feed: dict[str, Any]) -> bool:
    return "jsonfeed.org" in (_string(feed, "version") or "")


def _text(parent: dict[str, Any], key: str, most: int, base: str) -> str | None:
    return safe_text((_string(parent, key) or "")[:most], base) or None


def _line(parent: dict[str, Any], key: str, most: int) -> str | None:
    return line(_string(parent, key), most)


def _string(parent: dict[str, Any], key: str) -> str | None:
    """A string, or a number as a string."""
    value = parent.get(key)
    if isinstance(value, str):
        return value[: max(MAX_MARKUP, MAX_URL)]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _objects(parent: dict[str, Any], key: str, most: int) -> list[dict[str, Any]]:
    value = parent.get(key)
    return [each for each in value[:most] if isinstance(each, dict)] if isinstance(value, list) else []
