"""How the pages of a source are read, and what one of them yields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from outrider.extract.article.page_type import PageType
from outrider.extract.article.quality import passes
from outrider.extract.model import Page
from outrider.extract.recipe.selectors import Selectors

NO_SELECTORS = Selectors()


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the pages of a source are read."""

    selectors: Selectors = NO_SELECTORS
    template: str | None = None  # as configured; None: detected for each page


class Method(StrEnum):
    """How the text of a page was found. Also the names of counters."""

    SELECTOR = "selector"
    TEMPLATE = "template"
    HEURISTIC = "heuristic"  # <article>, <main> or <body>
    READABILITY = "readability"  # by the weight of its blocks


@dataclass(frozen=True, slots=True)
class Extracted:
    """An extracted page, and how each field was found."""

    page: Page
    method: Method
    page_type: PageType
    words: int
    origins: Mapping[str, str]  # field: where it stood
    template: str | None = None  # whose selectors were asked, too
    listed: Sequence[str] = ()  # articles that the list selectors found

    @property
    def is_worth_indexing(self) -> bool:
        return passes(self.words)
