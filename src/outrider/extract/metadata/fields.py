"""What a page says about itself: title, description, Open Graph and other metadata."""

import re
from collections.abc import Mapping
from html import unescape
from urllib.parse import unquote

from outrider.extract.metadata.article import flattened
from outrider.extract.metadata.model import MAX_FIELD, Metadata
from outrider.extract.metadata.structured import Thing, as_text
from outrider.extract.metadata.wording import one_line
from outrider.extract.parsed_page import ParsedPage, StatedPage
from outrider.extract.tree.survey import PageSurvey

MAX_TITLE = 1000
MAX_DESCRIPTION = 5000
MAX_PROPERTIES = 100
MAX_URL = 2000

_REFERENCE = re.compile(r"&(?:#\d{2,5}|#x[\da-f]{2,4}|amp|quot|apos);", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]{4,}")
_WORDS_OF_A_HEADLINE = 3
_SHORTEST_HEADLINE = 14  # characters of three words that count, and of what separates them

_DESCRIPTIONS = ("description", "og:description", "twitter:description", "dc.description")
# Field: the names under which a <meta> may state it, the best first.
_META_FIELDS = {
    "keywords": ("keywords", "news_keywords"),
    "section": ("article:section",),
    "article_opinion": ("article:opinion",),
    "article_content_tier": ("article:content_tier",),
    "twitter_card": ("twitter:card",),
    "twitter_site": ("twitter:site",),
    "og_type": ("og:type",),
    "og_title": ("og:title",),
    "og_description": ("og:description",),
    "og_image": ("og:image", "og:image:url", "og:image:secure_url"),
    "og_image_width": ("og:image:width",),
    "og_image_height": ("og:image:height",),
    "og_url": ("og:url",),
    "og_site_name": ("og:site_name",),
}


def title(parsed: StatedPage) -> tuple[str | None, str]:
    """The headline of the article as JSON-LD states it, else `og:title`, else <title>, else the first <h1>.

    A JSON-LD `name` counts on the same terms, so that the name of the site or of its search box is
    never taken for the title of a page. With it comes where it stands.
    """
    article, found = parsed.article, parsed.found
    where, line = "JSON-LD headline", one_line(_headline(parsed, article), MAX_TITLE) if article else None
    if line is None and "og:title" in found.metas:
        where, line = "og:title", one_line(found.meta("og:title"), MAX_TITLE)
    if line:
        return one_line(_unescaped(line, found.title or ""), MAX_TITLE), where
    line = one_line(found.title, MAX_TITLE)
    path = _words_of_path(parsed.url[:MAX_URL])
    if line and (len(path) < _WORDS_OF_A_HEADLINE or not path.isdisjoint(_words(line))):
        return line, "<title>"
    heading = one_line(parsed.first_heading(MAX_TITLE), MAX_TITLE)
    # An address made of the heading, and a <title> with no word of either: that is the name of the site.
    if line and (not heading or not _is_made_of(path, _words(heading), _words(line))):
        return line, "<title>"
    return heading, "<h1>"


def _words_of_path(url: str) -> frozenset[str]:
    """The words in the path of any text that is given as a URL; a parser refuses some."""
    path = "/".join(url.partition("?")[0].split("/")[3:])
    return _words(unquote(path)) if len(path) >= _SHORTEST_HEADLINE else frozenset()


def _is_made_of(path: frozenset[str], heading: frozenset[str], titled: frozenset[str]) -> bool:
    return len(path & heading) >= _WORDS_OF_A_HEADLINE and heading.isdisjoint(titled)


def _unescaped(line: str, shown: str) -> str:
    """`line` without the character references of a text that was escaped twice, unless people see them."""
    return _REFERENCE.sub(lambda found: found[0] if found[0] in shown else unescape(found[0]), line)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def description(parsed: StatedPage) -> tuple[str | None, str]:
    """What a page says that it is about."""
    found = parsed.found
    for name in _DESCRIPTIONS:
        if name in found.metas and (line := one_line(found.meta(name), MAX_DESCRIPTION)):
            return line, f"meta {name}"
    article = parsed.article
    stated = as_text(article.get("description")) if article else None
    return one_line(stated, MAX_DESCRIPTION), "JSON-LD description"


def open_graph(found: PageSurvey) -> dict[str, str]:
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


def metadata(parsed: ParsedPage, picked: Mapping[str, str]) -> Metadata:
    """Everything else that is stored; what selectors `picked` replaces what the page states."""
    values = {field: parsed.found.meta(*names) for field, names in _META_FIELDS.items()}
    return Metadata.of({**values, **flattened(parsed.article, parsed.things), **picked}, parsed.things)


def _headline(parsed: StatedPage, article: Thing) -> str:
    headline, name = as_text(article.get("headline")), as_text(article.get("name"))
    titles = f"{parsed.found.meta('og:title') or ''}\n{parsed.found.title or ''}"
    # Some put the kind of the page into the headline. The one that the page shows is its title.
    if headline and name and name in titles and headline not in titles:
        shown = parsed.first_heading(MAX_TITLE) or ""
        return name if name in shown and headline not in shown else headline
    return headline or name
