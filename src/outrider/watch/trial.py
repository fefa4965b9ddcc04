"""A trial extraction: the fields of a page and their origins, without saving anything (EXT-19)."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from outrider.crawl.politeness.fetch_result import FetchResult
from outrider.extract.article.quality import Unindexed
from outrider.extract.recipe.model import Extracted
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.templates import template_named
from outrider.extract.recipe.with_selectors import extract_with
from outrider.watch.propose import propose

FetchOne = Callable[[str], Awaitable[FetchResult]]

_PAGE_FIELDS = ("title", "description", "author", "published_at", "canonical_url", "text")


@dataclass(frozen=True, slots=True)
class TrialField:
    """One extracted field."""

    name: str
    value: Any
    origin: str  # which selector, template or part of the page it came from


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial. `extracted` is None if there was no page to read."""

    single: FetchResult
    extracted: Extracted | None = None

    @property
    def is_ok(self) -> bool:
        return self.extracted is not None

    @property
    def unindexed(self) -> Unindexed | None:
        """Why such a page would not be indexed, whichever method discovered it."""
        if self.extracted is None or self.extracted.is_worth_indexing:
            return None
        return Unindexed.QUALITY_GATE

    def proposal(self, now: datetime) -> dict[str, Any]:
        """Proposed selectors for pages like this one; empty if there are none."""
        if self.extracted is None:
            return {}
        return propose(self.single.body, self.single.headers.get("content-type"), self.extracted, now)

    @property
    def fields(self) -> list[TrialField]:
        """All extracted fields, the most important first."""
        return [] if self.extracted is None else list(_fields(self.extracted))


async def test_extraction(fetch_one: FetchOne, url: str, selectors: Selectors, template: str | None) -> Trial:
    """Raises InvalidInput if there is no such template. `fetch_one` obeys robots.txt and delays."""
    name = template_named(template).name if template else None
    single = await fetch_one(url)
    if not single.is_ok or not single.body:
        return Trial(single)
    headers = single.headers
    extracted = extract_with(
        single.body,
        single.url,
        selectors,
        name,
        content_type=headers.get("content-type"),
        x_robots_tag=headers.get("x-robots-tag"),
    )
    return Trial(single, extracted)


def _fields(extracted: Extracted) -> Iterator[TrialField]:
    page, origins = extracted.page, extracted.origins
    for name in _PAGE_FIELDS:
        if value := getattr(page, name):
            yield TrialField(name, value, origins[name])
    for name, value in page.metadata.strings().items():
        yield TrialField(name, value, origins.get(name) or _usual_origin(name))


def _usual_origin(name: str) -> str:
    if name.startswith("og_"):
        return name.replace("_", ":", 1)
    return "JSON-LD" if name.startswith("jsonld_") else "meta"
