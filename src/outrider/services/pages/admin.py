"""Use cases of an administrator: remove stored pages, or fetch them again, selected by filters."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from outrider.documents.purge import PageSelection, count_selected, purge, select_batch
from outrider.errors import InvalidInput
from outrider.frontier.normalisation import FIRST
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.sources.sources import source_id_named
from outrider.urls import UrlKey, host_id_of

AT_ONCE = 500  # pages in one transaction

Change = Callable[[Sequence[UrlKey]], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class PageChoice:
    """Which stored pages are meant. A field that is None does not filter."""

    host: str | None = None
    source: str | None = None
    fetched_since: datetime | None = None
    fetched_until: datetime | None = None
    content_type: str | None = None  # or how it begins

    @property
    def is_empty(self) -> bool:
        return self == PageChoice()


@dataclass(frozen=True, slots=True)
class ChangedPages:
    """How many pages were selected, and how many of them were changed: none in a dry run."""

    selected: int
    changed: int
    dry_run: bool


async def purge_pages(
    db: asyncpg.Connection,
    choice: PageChoice,
    options: FrontierOptions,
    *,
    dry_run: bool,
    confirmed: bool = False,
) -> ChangedPages:
    """Remove stored pages with their versions; their URLs stay known.

    Each batch is a transaction of its own, so the same call continues after a crash. Raises InvalidInput
    without any filter, unless all pages are meant and this is `confirmed`.
    """
    if choice.is_empty and not (confirmed or dry_run):
        raise InvalidInput("say which pages: give a filter, or confirm=true to remove every stored page")
    frontier = FrontierStore(options)

    async def remove(keys: Sequence[UrlKey]) -> int:
        await frontier.forget_documents(db, keys)
        removed, counts = await purge(db, keys)
        await frontier.add_counts(db, counts)
        return removed

    return await _change(db, choice, remove, dry_run=dry_run)


async def replay_pages(
    db: asyncpg.Connection,
    choice: PageChoice,
    priority: int | None,
    options: FrontierOptions,
    *,
    dry_run: bool,
) -> ChangedPages:
    """Queue stored pages again, in batches; pages that are queued already stay as they are.

    Raises InvalidInput without any filter.
    """
    if choice.is_empty:
        raise InvalidInput("say which pages: give start_date, end_date, domain or source_id")
    frontier = FrontierStore(options)
    return await _change(db, choice, lambda keys: frontier.requeue(db, keys, priority), dry_run=dry_run)


async def _change(
    db: asyncpg.Connection, choice: PageChoice, change: Change, *, dry_run: bool
) -> ChangedPages:
    selection = PageSelection(
        None if choice.host is None else host_id_of(choice.host),
        await source_id_named(db, choice.source),
        choice.fetched_since,
        choice.fetched_until,
        choice.content_type,
    )
    if dry_run:
        return ChangedPages(await count_selected(db, selection), 0, dry_run)
    selected, changed, after = 0, 0, FIRST
    while True:
        async with db.transaction():
            keys = await select_batch(db, selection, after, AT_ONCE)
            changed += await change(keys) if keys else 0
        selected += len(keys)
        if len(keys) < AT_ONCE:
            return ChangedPages(selected, changed, dry_run)
        after = keys[-1]
