"""A page that was read: what it says about itself, and for a parsed page its tree."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.encoding.decode import as_utf8
from outrider.extract.links import base_of, normalized_link
from outrider.extract.metadata.article import article_of
from outrider.extract.metadata.headline import headline
from outrider.extract.metadata.language import first_language
from outrider.extract.metadata.structured import Thing, as_text, json_ld
from outrider.extract.tree.parse import parse
from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.survey import PageSurvey, survey

JSON_LD = 'script[type*="ld+json" i]'
_MONTH_FIRST = frozenset((None, "en", "en-US"))


@dataclass
class StatedPage(ABC):
    """What a page says about itself, however it was read."""

    url: str
    html: bytes  # in UTF-8
    charset: str
    found: PageSurvey
    things: Sequence[Thing]
    base: str

    @abstractmethod
    def first_heading(self, limit: int) -> str | None:
        """The first <h1> in one line, or None where it is longer than `limit` characters."""

    @property
    def canonical_url(self) -> str | None:
        return normalized_link(self.found.canonical, self.base)

    @property
    def article(self) -> Thing | None:
        """The object of JSON-LD that describes the article of this page."""
        return article_of(self.things, self._addresses)

    def _addresses(self) -> Sequence[str | None]:
        return normalized_link(self.url, self.url), self.canonical_url


@dataclass
class UnparsedPage(StatedPage):
    """A page without a tree. One is built only for a heading, which few pages need."""

    def first_heading(self, limit: int) -> str | None:
        return _first_heading(parse(self.html), limit)


@dataclass
class ParsedPage(StatedPage):
    """The input of all extraction from one page."""

    tree: LexborHTMLParser

    def first_heading(self, limit: int) -> str | None:
        return _first_heading(self.tree, limit)

    @classmethod
    def of(cls, body: bytes, url: str, content_type: str | None, scripts: str = JSON_LD) -> Self:
        """Open the page at `url`; `scripts` selects the elements that hold its JSON-LD."""
        html, charset = as_utf8(body, content_type)
        tree = parse(html)
        found = survey(tree)
        # Some frameworks print the script as a <meta> of this name.
        stated = (*(node.text() for node in tree.css(scripts)), *found.metas.get("script:ld+json", ()))
        things = json_ld(stated)
        return cls(url, html, charset, found, things, base_of(found.bases, url), tree)

    @property
    def language(self) -> str | None:
        found = self.found
        stated = (as_text(thing.get("inLanguage")) for thing in self.things)
        return first_language(
            (found.language, found.meta("content-language", "language"), found.meta("og:locale"), *stated)
        )

    @cached_property
    def headline(self) -> LexborNode | None:
        """The heading that names the page."""
        return headline(self.tree, self.found)

    @property
    def is_day_first(self) -> bool:
        """Whether 03/04/2024 means 3 April in the language of the page."""
        return self.language not in _MONTH_FIRST


def _first_heading(tree: LexborHTMLParser, limit: int) -> str | None:
    heading = tree.css_first("h1")
    return short_text(heading, limit) if heading else None
