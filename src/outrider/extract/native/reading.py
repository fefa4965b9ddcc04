"""Read a page with the compiled library, as far as the library can."""

from typing import NamedTuple

from outrider.extract.native.library import Library, MarkupBounds, Outcome, RawScan, Reason
from outrider.extract.tree.survey import PageSurvey, note_meta, note_relation
from outrider.hrefs import Hrefs

_LINK = ("href", "rel", "type")


class PageReading(NamedTuple):
    """What the library read of a page."""

    found: PageSurvey  # without links
    links: Hrefs
    scripts: list[str]  # of JSON-LD
    encoded_text: bytes
    words: int


def read_page(library: Library, html: bytes, max_links: int) -> PageReading | None:
    """What the library reads of a page in UTF-8; None where the page needs a tree."""
    raw = library.scan(html, max_links)
    if raw.outcome == Outcome.CHECK_BOUNDS:
        raw = _scan_trimmed(library, html, max_links, may_be_crowded=raw.reason == Reason.CROWDED)
    if raw.outcome != Outcome.SCANNED:
        return None
    found, scripts = _survey(raw.fields.decode())
    links = Hrefs(raw.links, raw.links_count, raw.nofollow)
    return PageReading(found, links, scripts, raw.text, raw.words)


def _scan_trimmed(library: Library, html: bytes, max_links: int, *, may_be_crowded: bool) -> RawScan:
    """Scan a page again without the markup that costs too much."""
    # They import numpy, and few pages have so much markup.
    from outrider.extract.tree.bounds import trimmed
    from outrider.extract.tree.nesting import without_templates

    html, has_many_tags = trimmed(html, may_be_crowded=may_be_crowded)
    if has_many_tags:
        return library.scan(without_templates(html), max_links, MarkupBounds.MANY_TAGS)
    return library.scan(html, max_links, MarkupBounds.TRIMMED)


def _survey(fields: str) -> tuple[PageSurvey, list[str]]:
    """What the records say; source/fields.h describes them."""
    found = PageSurvey()
    scripts: list[str] = []
    values = iter(fields.split("\0"))
    language = other_language = ""
    for kind in values:
        match kind:
            case "M":
                note_meta(found, next(values), next(values))
            case "L":
                note_relation(found, {name: next(values) for name in _LINK})
            case "B":
                found.bases.append(next(values))
            case "J":
                scripts.append(next(values))
            case "T":
                found.title = next(values)
            case "H":
                language = next(values)
            case "I":
                other_language = next(values)
    found.language = language or other_language
    return found, scripts
