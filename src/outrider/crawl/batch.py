"""The results of lanes that are not yet written: one batch, one commit."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Protocol, TypeVar

import asyncpg

from outrider.crawl.run_counts import RunCounts
from outrider.crawl.sinks import FetchedPage
from outrider.documents.model import Draft
from outrider.frontier.model import Completion, RequestNote, SourceResult, Submission, TemplateNote
from outrider.urls import UrlKey

Write = Callable[[asyncpg.Connection], Awaitable[None]]
WriteRows = Callable[[asyncpg.Connection, list[Any]], Awaitable[None]]

T = TypeVar("T")

CORRECTIONS = 0  # the source_id of negative counts, so that totals count a shared page once


class Counts(Protocol):
    """Counters by source."""

    def count(self, source_id: int, name: str, by: int = 1) -> None: ...


class Batch:
    """Results of many visits, deduplicated so that no statement touches a row twice."""

    def __init__(self) -> None:
        self.completions: dict[UrlKey, Completion] = {}
        self.source_results: dict[tuple[UrlKey, int], SourceResult] = {}
        self.drafts: dict[UrlKey, Draft] = {}
        self.confirmed: set[UrlKey] = set()
        self.fetched: dict[UrlKey, FetchedPage] = {}  # only where sinks want the bytes of pages
        self.links: dict[UrlKey, Submission] = {}
        self.also_wanted: dict[tuple[UrlKey, int], Submission] = {}  # links that another source found first
        self.notes: list[RequestNote] = []
        self.counts: Counter[tuple[int, str]] = Counter()
        self.run_counts = RunCounts()
        self.templates: dict[tuple[int, str], TemplateNote] = {}
        self.refused: list[str] = []
        self.rows: dict[WriteRows, list[Any]] = {}
        self.writes: list[Write] = []

    def __bool__(self) -> bool:
        return bool(
            self.completions
            or self.links
            or self.notes
            or self.counts
            or self.templates
            or self.rows
            or self.writes
        )

    @property
    def pages(self) -> int:
        return len(self.completions)

    def complete(self, completion: Completion) -> None:
        self.completions[completion.key] = completion

    def add_source_result(self, result: SourceResult) -> None:
        """Record the result of a shared URL for one source."""
        self.source_results[result.key, result.source_id] = result

    def submit(self, links: Iterable[Submission]) -> None:
        """Add links. The first source that found a link owns it; further sources are recorded beside it."""
        for link in links:
            known = self.links.get(link.key)
            if known is not None and known.source_id != link.source_id:
                known = self.also_wanted.setdefault((link.key, link.source_id), link)
                if known.priority < link.priority:
                    self.also_wanted[link.key, link.source_id] = link
            elif known is None or known.priority < link.priority:
                self.links[link.key] = link

    def write(self, write: Write) -> None:
        """Add a write of a feature to this commit; it runs once, in the transaction of the flush."""
        self.writes.append(write)

    def write_row(self, write: Callable[[asyncpg.Connection, list[T]], Awaitable[None]], row: T) -> None:
        """Add a row for `write`, which gets all its rows in one call, before the writes of `write()` run."""
        self.rows.setdefault(write, []).append(row)

    def count(self, source_id: int, name: str, by: int = 1) -> None:
        self.counts[source_id, name] += by

    @property
    def counts_for_further_source(self) -> Counts:
        """Counters for a further source of a shared page; the sum over all sources stays right."""
        return _CorrectedCounts(self)

    def links_to_ingest(self) -> list[Submission]:
        """The links to queue, without those that this batch completes for the same source."""
        done = self.completions
        return [
            link
            for key, link in self.links.items()
            if key not in done or done[key].source_id != link.source_id
        ]


class _CorrectedCounts:
    """Counts for a further source, and subtracts the same from source 0."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

    def count(self, source_id: int, name: str, by: int = 1) -> None:
        self._batch.count(source_id, name, by)
        self._batch.count(CORRECTIONS, name, -by)
