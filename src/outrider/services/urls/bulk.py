"""Use cases that change many URLs at once: a selection of a list, or all that match a filter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.frontier.options import FrontierOptions
from outrider.frontier.priority import HIGHEST
from outrider.frontier.store import FrontierStore
from outrider.services.crawl.stats import read_stats
from outrider.services.urls.changes import remove_url, retry_url
from outrider.services.urls.details import show_url
from outrider.services.urls.urls import count_dead, retry_dead
from outrider.urls import UrlKey

MOST_SELECTED = 250  # as many as a page of a list shows


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    """How many items of a selection were changed, and why the others were refused."""

    done: int
    refused: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RetryPlan:
    """The dead URLs that a filter matches, by reason."""

    by_reason: Mapping[str, int]

    @property
    def urls(self) -> int:
        return sum(self.by_reason.values())


async def fetch_soon(db: asyncpg.Connection, key: UrlKey, options: FrontierOptions) -> str:
    """Fetch a known URL as soon as its host allows; returns the URL.

    Raises NotFound, and Conflict if it is due already or waits after a failed attempt.
    """
    frontier = FrontierStore(options)
    async with db.transaction():
        entry = (await show_url(db, key)).entry
        if not await frontier.requeue(db, [key], HIGHEST) and not await frontier.make_due(db, [key]):
            raise Conflict(f"{entry.url} is queued already: it is fetched as soon as its host allows")
    return entry.url


async def retry_selected(
    db: asyncpg.Connection, keys: Sequence[UrlKey], options: FrontierOptions
) -> BulkOutcome:
    """Queue the dead URLs of a selection again; the others are refused."""
    _check(keys)
    done, refused = 0, []
    for key in keys:
        try:
            await retry_url(db, key, options)
            done += 1
        except (Conflict, NotFound) as error:
            refused.append(str(error))
    return BulkOutcome(done, refused)


async def remove_selected(
    db: asyncpg.Connection, keys: Sequence[UrlKey], options: FrontierOptions
) -> BulkOutcome:
    """Remove the URLs of a selection with their pages; those that a worker may be fetching are refused."""
    _check(keys)
    done, refused = 0, []
    for key in keys:
        try:
            await remove_url(db, key, options)
            done += 1
        except (Conflict, NotFound) as error:
            refused.append(str(error))
    return BulkOutcome(done, refused)


async def plan_retry(
    db: asyncpg.Connection,
    reason: str | None,
    host: str | None,
    source: str | None,
    options: FrontierOptions,
) -> RetryPlan:
    """The dead URLs whose reason contains `reason`, of this host and source; raises NotFound."""
    counted = {}
    for name in await _reasons(db, reason):
        if urls := await count_dead(db, name, host, options, source):
            counted[name] = urls
    return RetryPlan(counted)


async def retry_matching(
    db: asyncpg.Connection,
    reason: str | None,
    host: str | None,
    source: str | None,
    options: FrontierOptions,
) -> int:
    """Queue the dead URLs of `plan_retry`, in batches; returns how many."""
    names = await _reasons(db, reason)
    return sum([(await retry_dead(db, name, host, options, source)).queued for name in names])


async def _reasons(db: asyncpg.Connection, part: str | None) -> list[str]:
    """The dead reasons in use that contain this text, from the counters."""
    known = (await read_stats(db, by_source=False)).dead_by_reason
    return [name for name in known if part is None or part in name]


def _check(keys: Sequence[UrlKey]) -> None:
    if not keys or len(keys) > MOST_SELECTED:
        raise InvalidInput(f"select 1 to {MOST_SELECTED} URLs first")
