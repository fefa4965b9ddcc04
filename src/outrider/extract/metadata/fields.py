"""What a page says about itself: title, description, Open Graph and other metadata."""

from collections.abc import Mapping

from outrider.extract.metadata.article import flattened, headline_of
from outrider.extract.metadata.model import Metadata
from outrider.extract.metadata.structured import as_text
from outrider.extract.metadata.wording import one_line
from outrider.extract.sheet import Sheet
from outrider.extract.tree.short_text import short_text

MAX_TITLE = 1000
MAX_DESCRIPTION = 5000

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


def title(sheet: Sheet) -> tuple[str | None, str]:
    """The headline of the article as JSON-LD states it, else `og:title`, else <title>, else the first <h1>.

    A JSON-LD `name` counts on the same terms, so that the name of the site or of its search box is
    never taken for the title of a page. With it comes where it stands.
    """
    article = sheet.article
    for where, text in (
        ("JSON-LD headline", headline_of(article) if article else None),
        ("og:title", sheet.found.meta("og:title")),
        ("<title>", sheet.found.title),
    ):
        if line := one_line(text, MAX_TITLE):
            return line, where
    heading = sheet.tree.css_first("h1")
    return one_line(short_text(heading, MAX_TITLE), MAX_TITLE) if heading else None, "<h1>"


def description(sheet: Sheet) -> tuple[str | None, str]:
    """What a page says that it is about."""
    for name in _DESCRIPTIONS:
        if line := one_line(sheet.found.meta(name), MAX_DESCRIPTION):
            return line, f"meta {name}"
    article = sheet.article
    stated = as_text(article.get("description")) if article else None
    return one_line(stated, MAX_DESCRIPTION), "JSON-LD description"


def metadata(sheet: Sheet, picked: Mapping[str, str]) -> Metadata:
    """Everything else that is stored; what selectors `picked` replaces what the page states."""
    said = {field: sheet.found.meta(*names) for field, names in _META_FIELDS.items()}
    return Metadata.of({**said, **flattened(sheet.article, sheet.things), **picked}, sheet.things)
