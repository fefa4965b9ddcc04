"""The author of a page.

In this order: meta tags, JSON-LD, the first post of a thread, elements that are made for a byline, a
byline in words at the headline. The name of the site itself counts only where no other name is given.
"""

from collections.abc import Iterator, Sequence

from outrider.extract.metadata.byline import byline_elements, byline_in_words, name_of_author_box
from outrider.extract.metadata.page_kind import is_for_sale, is_home
from outrider.extract.metadata.person_name import MAX_AUTHOR, as_name, declared_name, is_address
from outrider.extract.metadata.structured import Thing, as_text, types_of, with_main_entities
from outrider.extract.metadata.thread import first_author, is_thread
from outrider.extract.metadata.wording import one_line
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.tree.survey import PageSurvey

__all__ = ["as_name", "author"]

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
_WRITTEN_TYPES = (
    "Article",
    "Posting",
    "Report",
    "Recipe",
    "WebPage",
    "PressRelease",
    "Announcement",
    "Question",
    "Review",
)


def author(parsed: ParsedPage) -> tuple[str | None, str]:
    """The name or names, in one line, and where they were found."""
    own_names = _names_of_site(parsed.found, parsed.things)
    own: tuple[str | None, str] = (None, "")
    for where, name in _candidates(parsed):
        if name and name.casefold() not in own_names:
            return name, where
        if name and own[0] is None:
            own = name, where
    return own


def _names_of_site(found: PageSurvey, things: Sequence[Thing]) -> set[str]:
    names = [found.meta("og:site_name", "application-name") or ""]
    for thing in things:
        if not types_of(thing).isdisjoint(("WebSite", "Organization")):
            names.append(as_text(thing.get("name")))
        names.append(as_text(thing.get("publisher")))
    return {line.casefold() for name in names if (line := one_line(name, MAX_AUTHOR))}


def _candidates(parsed: ParsedPage) -> Iterator[tuple[str, str | None]]:
    found, things, url = parsed.found, parsed.things, parsed.url
    is_offer = is_for_sale(parsed)
    for name in () if is_offer else _META_NAMES:
        if names := [text for text in found.metas.get(name, ()) if not is_address(text)]:
            yield f"meta {name}", declared_name(", ".join(dict.fromkeys(names)))
    for thing in with_main_entities(things):
        if any(written in declared for declared in types_of(thing) for written in _WRITTEN_TYPES):
            yield "JSON-LD author", declared_name(as_text(thing.get("author")))
    if is_thread(url, things):
        yield "first post", first_author(parsed)
    if not is_home(url) and not is_offer:
        for name in byline_elements(parsed):
            yield "byline", name
        yield "byline", byline_in_words(parsed.headline)
        yield "byline", name_of_author_box(parsed.tree)
