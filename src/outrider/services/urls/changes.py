"""Use cases that change entries of the frontier: submit, retry, remove, clear and recover."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

import asyncpg

from outrider.documents.purge import purge
from outrider.errors import Conflict, InvalidInput, InvalidUrl
from outrider.frontier.model import SubmissionResult, UrlOrigin
from outrider.frontier.options import FrontierOptions
from outrider.frontier.priority import HIGHEST
from outrider.frontier.store import FrontierStore
from outrider.services.sources.sources import source_id_named
from outrider.services.urls.details import UrlDetails, show_url
from outrider.services.urls.urls import count_dead, retry_dead
from outrider.urls import UrlKey, host_id_of, key_of, normalize
from outrider.watch.submit import SubmittedUrl, submit_each
from outrider.workers.recovery import recover_dead_workers

MOST_SUBMITTED = 10_000  # URLs in one call


class SubmitResult(StrEnum):
    """The result of submitting one URL."""

    INSERTED = "inserted"
    UPDATED = "updated"  # it was queued, and its priority or time is better now
    DUPLICATE = "duplicate"  # it was known, or it is in the batch twice
    INVALID = "invalid"  # it is no web address


_RESULTS = {
    SubmissionResult.INSERTED: SubmitResult.INSERTED,
    SubmissionResult.RAISED: SubmitResult.UPDATED,
    SubmissionResult.KNOWN: SubmitResult.DUPLICATE,
}


@dataclass(frozen=True, slots=True)
class SubmitRequest:
    """URLs for one source, or without one for the source of their host."""

    urls: Collection[str]
    source: str | None = None
    origin: UrlOrigin = UrlOrigin.MANUAL
    priority: int | None = None


@dataclass(frozen=True, slots=True)
class SubmittedEntry:
    """The result of one URL. An invalid one has no id, and the error says why."""

    given: str
    result: SubmitResult
    id: UrlKey | None = None
    url: str | None = None
    source: str | None = None
    held: bool = False  # the source is disabled or held, so its queued URLs wait
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SubmittedBatch:
    """The results of a batch, in the order in which the URLs were given."""

    inserted: int
    updated: int
    duplicate: int
    invalid: int
    results: Sequence[SubmittedEntry]


@dataclass(frozen=True, slots=True)
class ChangedCount:
    """How many URLs were changed, or would be in a dry run."""

    urls: int
    dry_run: bool


@dataclass(frozen=True, slots=True)
class RecoveredLeases:
    """The leases that were freed: of how many workers, and of how many hosts."""

    recovered: int  # hosts whose URLs can be fetched again
    workers: int  # whose processes are gone


async def submit_url(
    db: asyncpg.Connection, url: str, request: SubmitRequest, options: FrontierOptions
) -> SubmittedEntry:
    """Queue one URL; raises InvalidUrl, InvalidInput for a wrong priority, NotFound for an unknown source."""
    async with db.transaction():
        source_id = await source_id_named(db, request.source)
        found = await submit_each(
            db, FrontierStore(options), [url], source_id, request.priority, request.origin
        )
    return _entry(url, found[url])


async def submit_batch(
    db: asyncpg.Connection, request: SubmitRequest, options: FrontierOptions
) -> SubmittedBatch:
    """Queue many URLs. An invalid URL does not stop the others; each URL has a result."""
    if not request.urls or len(request.urls) > MOST_SUBMITTED:
        raise InvalidInput(f"give 1 to {MOST_SUBMITTED:,} URLs, not {len(request.urls):,}")
    errors = {url: why for url in request.urls if (why := _why_invalid(url)) is not None}
    valid = [url for url in request.urls if url not in errors]
    async with db.transaction():
        source_id = await source_id_named(db, request.source)
        found = await submit_each(
            db, FrontierStore(options), valid, source_id, request.priority, request.origin
        )
    results, seen = [], set[str]()
    for url in request.urls:
        results.append(_result(url, errors.get(url), found.get(url), seen))
    tally = Counter(each.result for each in results)
    return SubmittedBatch(
        tally[SubmitResult.INSERTED],
        tally[SubmitResult.UPDATED],
        tally[SubmitResult.DUPLICATE],
        tally[SubmitResult.INVALID],
        results,
    )


async def seed_urls(
    db: asyncpg.Connection, urls: Collection[str], source: str | None, options: FrontierOptions
) -> SubmittedBatch:
    """Queue start URLs with the highest priority."""
    return await submit_batch(db, SubmitRequest(urls, source, priority=HIGHEST), options)


async def retry_url(db: asyncpg.Connection, key: UrlKey, options: FrontierOptions) -> UrlDetails:
    """Queue one dead URL again (FRO-12); raises NotFound, and Conflict for one that is not dead."""
    frontier = FrontierStore(options)
    async with db.transaction():
        if not await frontier.dead_among(db, [key]):
            entry = (await show_url(db, key)).entry
            raise Conflict(f"{entry.url} is {entry.status}: only dead URLs can be retried")
        await frontier.requeue(db, [key])
        return await show_url(db, key)


async def retry_urls_by_filter(
    db: asyncpg.Connection,
    reason: str | None,
    host: str | None,
    source: str | None,
    options: FrontierOptions,
    *,
    dry_run: bool,
) -> ChangedCount:
    """Queue the dead URLs with this reason, host and source; a dry run counts them.

    Raises InvalidInput without any filter, and NotFound for an unknown source.
    """
    if reason is None and host is None and source is None:
        raise InvalidInput("say which dead URLs: give last_error, host or source_id")
    if dry_run:
        return ChangedCount(await count_dead(db, reason, host, options, source), dry_run)
    return ChangedCount((await retry_dead(db, reason, host, options, source)).queued, dry_run)


async def remove_url(db: asyncpg.Connection, key: UrlKey, options: FrontierOptions) -> None:
    """Remove an entry with its stored page, for every source.

    Raises NotFound, and Conflict for a feed, a sitemap, or an entry that a worker may be fetching.
    """
    frontier = FrontierStore(options)
    async with db.transaction():
        await frontier.lock_removable(db, key)
        await frontier.forget_documents(db, [key])
        _, counts = await purge(db, [key])
        await frontier.add_counts(db, counts)
        await frontier.remove(db, key)


async def clear_queue(
    db: asyncpg.Connection,
    host: str | None,
    source: str | None,
    options: FrontierOptions,
    *,
    confirmed: bool,
    dry_run: bool,
) -> ChangedCount:
    """Take the queued pages out of the queue, all or those of a host or source (FRO-19).

    Raises InvalidInput, with the number of pages, without confirmation.
    """
    frontier, host_id = FrontierStore(options), None if host is None else host_id_of(host)
    async with db.transaction():
        source_id = await source_id_named(db, source)
        if not dry_run and confirmed:
            return ChangedCount(await frontier.clear_pending(db, source_id, host_id), dry_run)
        count = await frontier.count_pending(db, source_id, host_id)
    if not dry_run:
        raise InvalidInput(f"this takes {count:,} pages out of the queue: repeat it with confirm=true")
    return ChangedCount(count, dry_run)


async def recover_leases(
    db: asyncpg.Connection, options: FrontierOptions, request_s: float
) -> RecoveredLeases:
    """Free the hosts of workers of this machine that are gone, and wake hosts that were overlooked.

    The leases of workers on other machines end by themselves.
    """
    async with db.transaction():
        freed = await recover_dead_workers(db, options, request_s)
        woken = await FrontierStore(options).sweep_lost_hosts(db)
    return RecoveredLeases(freed.hosts + woken, freed.workers)


def _why_invalid(url: str) -> str | None:
    try:
        normalize(url)
    except InvalidUrl as error:
        return str(error)
    return None


def _result(url: str, error: str | None, found: SubmittedUrl | None, seen: set[str]) -> SubmittedEntry:
    if error is not None or found is None:
        return SubmittedEntry(url, SubmitResult.INVALID, error=error)
    entry = _entry(url, found)
    if found.url in seen:
        return SubmittedEntry(url, SubmitResult.DUPLICATE, entry.id, entry.url, entry.source, entry.held)
    seen.add(found.url)
    return entry


def _entry(given: str, found: SubmittedUrl) -> SubmittedEntry:
    return SubmittedEntry(
        given, _RESULTS[found.result], key_of(found.url), found.url, found.source, found.held
    )
