"""Everything we know how to say about one page."""

from datetime import UTC, datetime

from outrider.extract.author import author
from outrider.extract.content_hash import content_hash
from outrider.extract.decode import as_utf8
from outrider.extract.language import first_language
from outrider.extract.links import base_of, normalized_link, normalized_links
from outrider.extract.metadata import description, fields, open_graph, title
from outrider.extract.model import Page
from outrider.extract.parse import parse
from outrider.extract.published import published_at
from outrider.extract.scan import MAX_TEXT, directives
from outrider.extract.signature import signature
from outrider.extract.structured import as_text, json_ld
from outrider.extract.survey import survey
from outrider.extract.text import main_text

_MONTH_FIRST = frozenset((None, "en", "en-US"))


def extract(
    body: bytes,
    url: str,
    content_type: str | None = None,
    x_robots_tag: str | None = None,
    agent: str = "outrider",
    now: datetime | None = None,
) -> Page:
    """Read the page at `url`. Never fails, whatever the bytes."""
    html, charset = as_utf8(body, content_type)
    tree = parse(html)
    found = survey(tree)
    things = json_ld(node.text() for node in tree.css('script[type*="ld+json" i]'))
    wishes = directives(found, x_robots_tag, agent)
    base = base_of(found.bases, url)
    stated = (as_text(thing.get("inLanguage")) for thing in things)
    language = first_language(
        (found.language, found.meta("content-language", "language"), found.meta("og:locale"), *stated)
    )
    text = main_text(tree, url)[:MAX_TEXT]
    return Page(
        url=url,
        title=title(tree, found, things),
        description=description(found, things),
        text=text,
        links=normalized_links(found.links, base),
        canonical_url=normalized_link(found.canonical, base),
        language=language,
        published_at=published_at(
            tree, found, things, url, now or datetime.now(UTC), language not in _MONTH_FIRST
        ),
        author=author(tree, found, things),
        json_ld=things,
        open_graph=open_graph(found),
        fields=fields(found, things),
        content_hash=content_hash(text),
        signature=signature(text),
        noindex=wishes.noindex,
        nofollow=wishes.nofollow,
        charset=charset,
    )
