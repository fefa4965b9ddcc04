"""What a page says about itself: title, description, Open Graph, and the fields that go into an index."""

from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.metadata.structured import Thing, as_text, types_of
from outrider.extract.metadata.wording import one_line
from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.survey import Survey

MAX_TITLE = 1000
MAX_DESCRIPTION = 5000
MAX_FIELD = 2000
MAX_PROPERTIES = 100

_INDEXED_TYPES = frozenset(
    ("NewsArticle", "Article", "BlogPosting", "PressRelease", "Event", "SpecialAnnouncement", "Report")
)
_DESCRIPTIONS = ("description", "og:description", "twitter:description", "dc.description")
_META_FIELDS = {
    "keywords": ("keywords", "news_keywords"),
    "section": ("article:section",),
    "opinion": ("article:opinion",),
    "content_tier": ("article:content_tier",),
    "twitter_card": ("twitter:card",),
    "twitter_site": ("twitter:site",),
}


def title(tree: LexborHTMLParser, found: Survey, things: Sequence[Thing]) -> tuple[str | None, str]:
    """The headline of an article as JSON-LD states it, else `og:title`, else <title>, else the first <h1>.

    A JSON-LD `name` counts on the same terms, so that the name of the site or of its search box is
    never taken for the title of a page. With it comes where it stands.
    """
    for where, text in (
        *(("JSON-LD headline", text) for text in _headlines(things)),
        ("og:title", found.meta("og:title")),
        ("<title>", found.title),
    ):
        if line := one_line(text, MAX_TITLE):
            return line, where
    heading = tree.css_first("h1")
    return one_line(short_text(heading, MAX_TITLE), MAX_TITLE) if heading else None, "<h1>"


def description(found: Survey, things: Sequence[Thing]) -> tuple[str | None, str]:
    """What a page says that it is about."""
    for name in _DESCRIPTIONS:
        if line := one_line(found.meta(name), MAX_DESCRIPTION):
            return line, f"meta {name}"
    texts = (as_text(thing.get("description")) for thing in _articles(things))
    stated = next(filter(None, (one_line(text, MAX_DESCRIPTION) for text in texts)), None)
    return stated, "JSON-LD description"


def open_graph(found: Survey) -> dict[str, str]:
    """`og:` properties by their name without the prefix; of repeated ones the first."""
    properties: dict[str, str] = {}
    for name, contents in found.metas.items():
        if (
            name.startswith("og:")
            and len(properties) < MAX_PROPERTIES
            and (line := one_line(contents[0], MAX_FIELD))
        ):
            properties[name[3:]] = line
    return properties


def fields(found: Survey, things: Sequence[Thing]) -> dict[str, str]:
    """Plain strings under fixed names, so that one page's object and another's list cannot clash in an index.

    What JSON-LD says of the article stands under `jsonld_`.
    """
    said = {field: one_line(found.meta(*names), MAX_FIELD) for field, names in _META_FIELDS.items()}
    for thing in _articles(things)[:1]:
        for key, value in list(thing.items())[:MAX_PROPERTIES]:
            said[f"jsonld_{key.lstrip('@')}"] = one_line(as_text(value), MAX_FIELD)
    return {field: text for field, text in said.items() if text}


def _headlines(things: Sequence[Thing]) -> list[str]:
    articles = _articles(things)
    # Several articles are a list of other pages.
    return [as_text(articles[0].get("headline") or articles[0].get("name"))] if len(articles) == 1 else []


def _articles(things: Sequence[Thing]) -> list[Thing]:
    return [thing for thing in things if _INDEXED_TYPES & types_of(thing)]
