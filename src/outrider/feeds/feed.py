"""Reads a feed in any of the supported formats."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from outrider.errors import InvalidFeed
from outrider.feeds.encoding import decoded
from outrider.feeds.entry import Context, dates_of, entry_of, first_markup, identifier_of, title_of
from outrider.feeds.json_feed import parse_json_feed
from outrider.feeds.limits import MAX_ENTRIES, MAX_FEED_CHARS, MAX_NAME, MAX_TEXTS
from outrider.feeds.links import link_to, links_of, page_link
from outrider.feeds.markup import Element, read_markup
from outrider.feeds.model import Feed, FeedEntry
from outrider.feeds.people import author_of
from outrider.feeds.rhythm import rhythm_of
from outrider.feeds.strings import line
from outrider.feeds.unpack import unpacked
from outrider.feeds.values import Guess, text_of

_ROOTS = frozenset(("rss", "rdf:rdf", "feed", "channel"))
_AUTHORS = (
    "author",
    "managingeditor",
    "webmaster",
    "dc:creator",
    "dc:author",
    "itunes:author",
    "itunes:owner",
    "googleplay:author",
)
_DESCRIPTIONS = (
    "description",
    "subtitle",
    "tagline",
    "dc:description",
    "itunes:summary",
    "itunes:subtitle",
    "abstract",
    "info",
)


def parse_feed(body: bytes, url: str, content_type: str | None = None) -> Feed:
    """Parse the feed at `url`. Raises InvalidFeed if the body is no feed."""
    text = decoded(unpacked(body), content_type)[:MAX_FEED_CHARS].lstrip("\ufeff \t\r\n\0")
    if text.startswith("{"):
        return parse_json_feed(text, url)
    return xml_feed(read_markup(text, MAX_ENTRIES), url)


def xml_feed(document: Element, url: str) -> Feed:
    """The feed in a parsed document. Raises InvalidFeed if there is none."""
    root = _root(document)
    if root is None:
        raise InvalidFeed(_why_not(document))
    channel = root if root.name in ("feed", "channel") else root.first("channel") or root
    links = links_of(channel, url)
    link = page_link(links)
    author = author_of(channel, url, *_AUTHORS)
    published, updated = dates_of(channel)
    titles = Guess.TEXT if root.name == "feed" else Guess.EITHER
    context = Context(base=link or url, author=author, titles=titles, has_texts=True)
    return Feed(
        title=title_of(channel, titles, url) or link or url,
        link=link or url,
        description=first_markup(channel, _DESCRIPTIONS, url),
        language=_language(channel),
        author=author,
        id=identifier_of(channel, url),
        published_at=published,
        updated_at=updated or published,
        entries=tuple(_entries(root, context)),
        self_url=link_to(links, "self"),
        hub=link_to(links, "hub"),
        next_url=link_to(links, "next"),
        rhythm=rhythm_of(channel),
    )


def _root(document: Element) -> Element | None:
    level = [document]
    while level:
        found = next((child for parent in level for child in parent.children if child.name in _ROOTS), None)
        if found:
            return found
        level = [child for parent in level for child in parent.children]
    return document if document.first("item", "entry") else None


def _entries(root: Element, context: Context) -> Iterator[FeedEntry]:
    """All entries. Beyond the first megabytes they have no texts, which are the expensive part."""
    read = 0
    for item in islice(_items(root), MAX_ENTRIES):
        yield entry_of(item, context if read < MAX_TEXTS else replace(context, has_texts=False))
        read += item.end - item.start


def _items(root: Element) -> Iterator[Element]:
    """Every entry at any depth, in document order."""
    pending = [root]
    while pending:
        element = pending.pop()
        if element.name in ("item", "entry"):
            yield element
        else:
            pending.extend(reversed(element.children))


def _language(channel: Element) -> str | None:
    child = channel.first("language", "dc:language")
    language = line(text_of(child) if child else channel.language, MAX_NAME)
    return language.replace("_", "-") if language else None


def _why_not(document: Element) -> str:
    first = document.children[0].name if document.children else None
    if first is None:
        return "this is no feed: it has no markup"
    if first == "html":
        return "this is an HTML page, not a feed"
    return f"this is no feed: it begins with <{first[:40]}>"
