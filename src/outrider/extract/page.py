"""Extract everything from one page."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from outrider.extract.dates.published import published_at
from outrider.extract.links import normalized_links
from outrider.extract.metadata.author import author
from outrider.extract.metadata.fields import description, metadata, open_graph, title
from outrider.extract.model import Page
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.scan import MAX_TEXT, directives
from outrider.extract.similarity.content_hash import content_hash
from outrider.extract.similarity.signature import signature
from outrider.extract.text.main_text import main_text

FieldValue = tuple[Any, str]  # a value, and where on the page it stood

MAIN_TEXT = "main text"


def extract(
    body: bytes,
    url: str,
    content_type: str | None = None,
    x_robots_tag: str | None = None,
    agent: str = "outrider",
    now: datetime | None = None,
) -> Page:
    """Read the page at `url`. Never fails, whatever the bytes."""
    page, _ = page_of(
        ParsedPage.of(body, url, content_type), {}, now or datetime.now(UTC), x_robots_tag, agent
    )
    return page


def page_of(
    parsed: ParsedPage,
    picked: Mapping[str, FieldValue],
    now: datetime,
    x_robots_tag: str | None = None,
    agent: str = "outrider",
) -> tuple[Page, dict[str, str]]:
    """The page, and where each of its fields came from. What was `picked` by selectors goes first."""
    tree, found, things, url = parsed.tree, parsed.found, parsed.things, parsed.url
    fields: dict[str, FieldValue] = {
        "title": picked.get("title") or title(parsed),
        "description": picked.get("description") or description(parsed),
        "author": picked.get("author") or author(parsed),
        "published_at": picked.get("published_at") or published_at(parsed, now),
        "canonical_url": picked.get("canonical_url") or (parsed.canonical_url, "<link rel=canonical>"),
        "text": picked.get("text") or (main_text(tree, url), MAIN_TEXT),
    }
    others = {name: value for name, value in picked.items() if name not in fields}
    robots = directives(found, x_robots_tag, agent)
    text = fields["text"][0][:MAX_TEXT]
    page = Page(
        url=url,
        title=fields["title"][0],
        description=fields["description"][0],
        text=text,
        links=normalized_links(found.links, parsed.base),
        alternates=normalized_links(
            (href for href, is_one in found.relations.items() if is_one), parsed.base
        ),
        canonical_url=fields["canonical_url"][0],
        language=parsed.language,
        published_at=fields["published_at"][0],
        author=fields["author"][0],
        json_ld=things,
        open_graph=open_graph(found),
        metadata=metadata(parsed, {name: value for name, (value, _) in others.items()}),
        content_hash=content_hash(text),
        signature=signature(text),
        noindex=robots.noindex,
        nofollow=robots.nofollow,
        charset=parsed.charset,
    )
    return page, {name: where for name, (value, where) in (fields | others).items() if value}
