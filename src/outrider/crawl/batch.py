"""What lanes have learned and not yet written: one batch, one commit."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

import asyncpg

from outrider.documents.model import Draft
from outrider.frontier.model import Completion, RequestNote, Submission, TemplateNote
from outrider.urls import UrlKey

Write = Callable[[asyncpg.Connection], Awaitable[None]]
WriteRows = Callable[[asyncpg.Connection, list[Any]], Awaitable[None]]

T = TypeVar("T")


class Batch:
    """Results of many visits, deduplicated so that no statement touches a row twice."""

    def __init__(self) -> None:
        self.completions: dict[UrlKey, Completion] = {}
        self.drafts: dict[UrlKey, Draft] = {}
        self.confirmed: set[UrlKey] = set()
        self.links: dict[UrlKey, Submission] = {}
        self.notes: list[RequestNote] = []
        self.counts: Counter[tuple[int, str]] = Counter()
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

    def submit(self, links: Iterable[Submission]) -> None:
        for link in links:
            known = self.links.get(link.key)
            if known is None or known.priority < link.priority:
                self.links[link.key] = link

    def write(self, write: Write) -> None:
        """Something of a feature's own that belongs to this commit; it runs in its transaction, once."""
        self.writes.append(write)

    def write_row(self, write: Callable[[asyncpg.Connection, list[T]], Awaitable[None]], row: T) -> None:
        """The same for what many visits write alike: before the others, all rows of a kind in one call."""
        self.rows.setdefault(write, []).append(row)

    def count(self, source_id: int, name: str, by: int = 1) -> None:
        self.counts[source_id, name] += by

    def links_to_ingest(self) -> list[Submission]:
        """What is completed in this very batch needs no queueing, and may not be written twice."""
        return [link for key, link in self.links.items() if key not in self.completions]
