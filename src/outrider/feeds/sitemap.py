"""Reads a sitemap in any of its formats, chunk by chunk.

A sitemap may have 50,000 entries in 50 MB. It is cut around each <url> and <sitemap>, and each block between
two cuts is parsed as a small document. So memory holds one entry at a time, and a broken entry does not
affect the others. Feeds may serve as sitemaps, too; they are small and read whole.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice, pairwise

from outrider.errors import InvalidFeed
from outrider.feeds.addresses import web_address
from outrider.feeds.comments import without_comments
from outrider.feeds.dates import read_date
from outrider.feeds.encoding import decoded_chunks
from outrider.feeds.feed import xml_feed
from outrider.feeds.limits import (
    MAX_ALTERNATES,
    MAX_ENTRIES,
    MAX_FEED_CHARS,
    MAX_NAME,
    MAX_SITEMAP_ENTRIES,
    MAX_URL,
)
from outrider.feeds.markup import Element, namespaces_in, read_markup
from outrider.feeds.model import Alternate, Sitemap, SitemapEntry, SitemapKind
from outrider.feeds.names import SITEMAPS, NamespaceScope
from outrider.feeds.strings import line as one_line
from outrider.feeds.unpack import unpacked_chunks
from outrider.feeds.values import text_in, text_of

_CHUNK = 262_144
_HEAD_CHARS = 65_536
_MOST_BLOCK = 1 << 20  # an entry longer than this is read in parts
_PROLOGUE = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->|<![^>\[]*+(?:\[[^\]]*+\]\s*+)?>)*+", re.DOTALL)
_START = re.compile(r"<\?xml\b|<!DOCTYPE\b|<(?:[\w.-]{1,40}:)?(?:urlset|sitemapindex)\b", re.IGNORECASE)
_ROOT = re.compile(r"<(?:([\w.-]+):)?([\w.-]+)([^>]{0,16384})>")
# Cuts after a closing tag or before an opening one. Some sites write <loc><url>…</url></loc>.
_CUT = re.compile(
    r"</(?:[\w.-]{1,40}:)?(?:url|sitemap)\s{0,40}>(?!\s{0,99}</[\w.:-]{0,40}loc\b)"
    r"|(?<!<loc>)(?=<(?:[\w.-]{1,40}:)?(?:url|sitemap)[\s>])",
    re.IGNORECASE,
)
# A shortcut for an entry in the common form. The general parser gives the same result.
_PLAIN = re.compile(
    r"\s*+<url>\s*+<loc>([^<]*+)</loc>\s*+(?:<lastmod>([^<]*+)</lastmod>\s*+)?+"
    r"(?:<changefreq>[^<]*+</changefreq>\s*+)?+(?:<priority>[^<]*+</priority>\s*+)?+</url>"
)
_ROOT_END = re.compile(r"</(?:[\w.-]{1,40}:)?(?:urlset|sitemapindex)\b", re.IGNORECASE)
_LONGEST_TAG = 256
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+>")
_LINE_END = re.compile(r"[\r\n]+")
_MOST_LINES = 1_000_000
_BEGINS_AS_ADDRESS = re.compile(r"\s*https?://", re.IGNORECASE)
_FEEDS = ("rss", "rdf", "feed", "channel")
_KINDS = {"urlset": SitemapKind.URLSET, "sitemapindex": SitemapKind.INDEX}


def parse_sitemap(body: bytes, url: str, content_type: str | None = None) -> Sitemap:
    """Parse the sitemap at `url`. Raises InvalidFeed if the body is no sitemap."""
    chunks = (body[start : start + _CHUNK] for start in range(0, len(body), _CHUNK))
    kind, entries = open_sitemap(chunks, url, content_type)
    return Sitemap(kind, tuple(entries))


def iter_sitemap(
    chunks: Iterable[bytes], url: str, content_type: str | None = None
) -> Iterator[SitemapEntry]:
    """The entries of a sitemap while it arrives. Raises InvalidFeed at once if it is no sitemap."""
    return open_sitemap(chunks, url, content_type)[1]


def open_sitemap(
    chunks: Iterable[bytes], url: str, content_type: str | None = None
) -> tuple[SitemapKind, Iterator[SitemapEntry]]:
    """The kind of a sitemap, and an iterator of its entries. Reads only as much as the kind needs.

    Raises InvalidFeed if it is no sitemap. The iterator raises nothing.
    """
    texts = decoded_chunks(unpacked_chunks(chunks), content_type)
    head = ""
    for text in texts:
        head += text
        if len(head) >= _HEAD_CHARS:
            break
    start = _START.search(head)
    head = head[start.start() :] if start else head.lstrip("\ufeff\0 \t\r\n")
    if not head.startswith("<"):
        return SitemapKind.URLSET, _at_least_one(_from_lines(chain((head,), texts), url))
    prologue = _PROLOGUE.match(head)
    if prologue and "<!ENTITY" in prologue[0]:
        raise InvalidFeed("this declares entities, which are refused in a sitemap")
    root = _ROOT.match(head, prologue.end() if prologue else 0)
    name = root[2].lower() if root else ""
    if name in _FEEDS:
        return SitemapKind.URLSET, _from_feed(_beginning(chain((head,), texts)), url)
    if name == "html":
        raise InvalidFeed("this is an HTML page, not a sitemap")
    if root is None or name not in _KINDS:
        return SitemapKind.URLSET, _at_least_one(_from_blocks(chain((head,), texts), url, NamespaceScope({})))
    # The prefix of the root counts as the sitemap namespace, whatever namespace it declares.
    scope = NamespaceScope({**namespaces_in(root[3]), (root[1] or "").lower(): SITEMAPS})
    return _KINDS[name], _from_blocks(chain((head[root.end() :],), texts), url, scope)


def _at_least_one(entries: Iterator[SitemapEntry]) -> Iterator[SitemapEntry]:
    """The entries of a text or a feed. At least one entry proves that it is a sitemap."""
    first = next(entries, None)
    if first is None:
        raise InvalidFeed("this is no sitemap: it lists no address")
    return chain((first,), entries)


def _from_lines(texts: Iterable[str], base: str) -> Iterator[SitemapEntry]:
    lines = islice(_lines(texts), _MOST_LINES)
    urls = (web_address(line, base) for line in lines if _BEGINS_AS_ADDRESS.match(line))
    return islice((SitemapEntry(url) for url in urls if url), MAX_SITEMAP_ENTRIES)


def _lines(texts: Iterable[str]) -> Iterator[str]:
    rest = ""
    for text in texts:
        *lines, rest = _LINE_END.split(rest + text)
        yield from lines
        rest = rest[: 2 * MAX_URL]  # still longer than any valid address
    yield rest


def _beginning(texts: Iterable[str]) -> str:
    """The text up to the size limit of feeds."""
    taken: list[str] = []
    room = MAX_FEED_CHARS
    for text in texts:
        taken.append(text[:room])
        room -= len(text)
        if room <= 0:
            break
    return "".join(taken)


def _from_feed(text: str, url: str) -> Iterator[SitemapEntry]:
    feed = xml_feed(read_markup(text, MAX_ENTRIES), url)
    return (
        SitemapEntry(address, entry.updated_at or entry.published_at, published_at=entry.published_at)
        for entry in feed.entries
        if (address := entry.url or _address_in(entry.id, url))
    )


def _address_in(identifier: str | None, base: str) -> str | None:
    """The identifier of an item without a link, if it looks like an address."""
    return web_address(identifier, base) if identifier and _BEGINS_AS_ADDRESS.match(identifier) else None


def _from_blocks(texts: Iterable[str], url: str, scope: NamespaceScope) -> Iterator[SitemapEntry]:
    blocks = islice(_blocks(without_comments(texts)), 2 * MAX_SITEMAP_ENTRIES)
    entries = (entry for block in blocks for entry in _in_block(block, url, scope) if entry)
    return islice(entries, MAX_SITEMAP_ENTRIES)


def _in_block(block: str, url: str, scope: NamespaceScope) -> Iterable[SitemapEntry | None]:
    plain = _PLAIN.fullmatch(block)
    if plain is None or scope.name("url") != "url":
        return (_entry(element, url) for element in _listed(read_markup(block, MAX_ENTRIES, scope)))
    address = web_address(text_in(plain[1]), url)
    return (SitemapEntry(address, lastmod=read_date(text_in(plain[2] or ""))),) if address else ()


def _blocks(texts: Iterable[str]) -> Iterator[str]:
    """The blocks between two cuts. In a valid file each block is one entry.

    The last entry of a truncated file may be incomplete. It counts only if it is the only one.
    """
    rest = ""
    is_first = True
    for text in chain(texts, (" " * _LONGEST_TAG,)):
        seen = max(0, len(rest) - _LONGEST_TAG)
        rest += text
        at = 0
        # The text after a tag decides whether it is a cut, and the end of a chunk may split a tag.
        for cut in _CUT.finditer(rest, seen, max(seen, len(rest) - _LONGEST_TAG)):
            if cut.end() > at and not (block := rest[at : cut.end()]).isspace():
                yield block
                is_first = False
            at = cut.end()
        rest = rest[at:]
        if len(rest) > _MOST_BLOCK:
            yield rest
            rest = ""
    if is_first or _ROOT_END.search(rest):
        yield rest


def _listed(document: Element) -> Iterator[Element]:
    """Every element that may have an address, in document order."""
    pending = [document]
    while pending:
        element = pending.pop()
        if element.name in ("url", "sitemap") or element.first("loc"):
            yield from _one_by_one(element)
        pending.extend(child for child in reversed(element.children) if child.name != "loc")


def _one_by_one(element: Element) -> Iterator[Element]:
    """One element for each <loc>: some files do not close one entry before the next."""
    starts = [at for at, child in enumerate(element.children) if child.name == "loc"][1:]
    if not starts:
        yield element
        return
    for start, end in pairwise((0, *starts, len(element.children))):
        yield replace(element, children=element.children[start:end])


def _entry(element: Element, base: str) -> SitemapEntry | None:
    url = _address(element, base)
    if url is None:
        return None
    news = element.first("news:news")
    return SitemapEntry(
        url,
        lastmod=read_date(_text(element, "lastmod")),
        published_at=read_date(_text(news, "news:publication_date")) if news else None,
        alternates=tuple(islice(_alternates(element, base), MAX_ALTERNATES)),
        is_sitemap=element.name == "sitemap",
    )


def _address(element: Element, base: str) -> str | None:
    loc = element.first("loc")
    if loc is None:
        # Some sites omit <loc>. Then only an absolute http or https address counts.
        text = "" if element.children else text_of(element)
        return web_address(text, base) if text.startswith(("http://", "https://")) else None
    return None if loc.is_cut else web_address(text_in(_TAG.sub("", loc.inner)), base)


def _alternates(element: Element, base: str) -> Iterator[Alternate]:
    for child in element.all("xhtml:link", "link"):
        if (child.get("rel") or "").lower() == "alternate" and (url := web_address(child.get("href"), base)):
            yield Alternate(url, one_line(child.get("hreflang"), MAX_NAME))


def _text(element: Element, name: str) -> str | None:
    child = element.first(name)
    return text_of(child) if child else None
