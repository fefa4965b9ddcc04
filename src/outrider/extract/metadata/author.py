"""Who wrote a page."""

import re
from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.metadata.structured import Thing, as_text, types_of
from outrider.extract.metadata.wording import one_line
from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.survey import Survey

MAX_AUTHOR = 300

_META_NAMES = (
    "author",
    "article:author",
    "byl",
    "dc.creator",
    "dcterms.creator",
    "citation_author",
    "parsely-author",
    "sailthru.author",
)
_WRITTEN_TYPES = re.compile(
    r"Article|Posting|Report|Recipe|WebPage|PressRelease|Announcement|Question|Review"
)
_ELEMENTS = (
    "[rel~=author], [itemprop=author], [class~=author], [class~=byline], [class*=author-name i], "
    "[class*=authorName], [class*=byline-name i], [class~=p-author], [class~=fn]"
)
_BY = re.compile(r"^\s*(?:written\s+)?(?:by|von|par|por|di|door|av)\s*:?\s+", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://|www\.|@\w+\.\w|/")
_MAX_WORDS = 12


def author(tree: LexborHTMLParser, found: Survey, things: Sequence[Thing]) -> tuple[str | None, str]:
    """The name or names, in one line, and where they stand."""
    for where, text in _candidates(tree, found, things):
        if name := as_name(text):
            return name, where
    return None, ""


def as_name(text: str) -> str | None:
    """`text` as a name, or None where it can be none."""
    name = one_line(_BY.sub("", text), MAX_AUTHOR)
    return name if name and not _ADDRESS.search(name) and len(name.split()) <= _MAX_WORDS else None


def _candidates(tree: LexborHTMLParser, found: Survey, things: Sequence[Thing]) -> Iterator[tuple[str, str]]:
    for name in _META_NAMES:
        if names := [text for text in found.metas.get(name, ()) if not _ADDRESS.search(text)]:
            yield f"meta {name}", ", ".join(dict.fromkeys(names))
    for thing in things:
        if any(map(_WRITTEN_TYPES.search, types_of(thing))):
            yield "JSON-LD author", as_text(thing.get("author"))
    for node in tree.css(_ELEMENTS)[:20]:
        yield "byline", short_text(node, MAX_AUTHOR) or ""
