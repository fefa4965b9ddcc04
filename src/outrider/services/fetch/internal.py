"""The use case of programs that have no crawler of their own: fetch one page and return its content."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from outrider.crawl.politeness.fetch_result import FetchEnding
from outrider.extract.recipe.selectors import Selectors
from outrider.services.fetch.polite import FetchOne
from outrider.watch.trial import test_extraction


@dataclass(frozen=True, slots=True)
class FetchedHop:
    """A redirect that was followed."""

    url: str
    status: int
    target: str | None


@dataclass(frozen=True, slots=True)
class FetchedContent:
    """The content of a page. Without a page, `outcome` and `reason` say why, and the fields are None."""

    ok: bool
    url: str  # the last address, after redirects
    status: int | None
    outcome: FetchEnding
    reason: str | None
    hops: Sequence[FetchedHop]
    elapsed_ms: int
    page_type: str | None = None
    title: str | None = None
    description: str | None = None
    author: str | None = None
    published_at: str | None = None
    canonical_url: str | None = None
    text: str | None = None
    words: int | None = None


async def fetch_content(fetch_one: FetchOne, url: str) -> FetchedContent:
    """Fetch a page as a crawl does and extract its content; raises Conflict if its host is busy."""
    trial = await test_extraction(fetch_one, url, Selectors(), None)
    single, extracted = trial.single, trial.extracted
    found: dict[str, Any] = {}
    if extracted is not None:
        values = {each.name: str(each.value) for each in trial.fields}
        names = ("title", "description", "author", "published_at", "canonical_url", "text")
        found = {name: values.get(name) for name in names}
        found |= {"page_type": extracted.page_type.value, "words": extracted.words}
    return FetchedContent(
        ok=trial.is_ok,
        url=single.url,
        status=single.status,
        outcome=single.ending,
        reason=single.reason,
        hops=[FetchedHop(hop.url, hop.status, hop.target) for hop in single.hops],
        elapsed_ms=single.elapsed_ms,
        **found,
    )
