"""Starting a crawl: its source, its seeds, and what earlier crawls left behind."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.crawl.processes import is_running, is_watching
from outrider.frontier.model import NO_RUN, Submission, UrlOrigin
from outrider.frontier.priority import SEED
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.runs.ending import end_now
from outrider.runs.model import Run
from outrider.runs.store import RunStore
from outrider.sources.crawl_commands import crawl_name, ensure_crawl, unfinished_crawls
from outrider.sources.owners import OwnerKind, UrlOwner, owners_with_pending_urls
from outrider.sources.page_limit import settle_pages
from outrider.sources.policy import Policy
from outrider.urls import host_of, key_of


@dataclass(frozen=True, slots=True)
class StartedCrawl:
    """How a crawl began: new, resumed, or started again after it had finished."""

    source: UrlOwner
    resumed: int  # URLs still queued from the previous run
    suspended: Sequence[UrlOwner]  # other crawls of this database, which wait
    run: Run | None = None  # None: a process that watches has no run of its own
    continues_run: bool = False  # an interrupted process left the run open

    @property
    def run_id(self) -> int:
        return NO_RUN if self.run is None else self.run.run_id


async def start(
    db: asyncpg.Connection, policy: Policy, frontier: FrontierStore, stats: StatsStore
) -> StartedCrawl:
    """Queue the seeds, or resume the same crawl. One transaction."""
    source = await ensure_crawl(db, crawl_name(policy.seeds), policy)
    suspended = await _suspend_others(db, source, frontier)
    if source.held:
        await frontier.resume_source(db, source.source_id)
    await settle_pages(db, source.source_id)
    totals = await stats.totals(db, source.source_id)
    run, continues_run = await _open_run(db, source.source_id, frontier)
    if totals.pending:
        await frontier.join_run_of_source(db, source.source_id, run.run_id)
    submissions = [_seed(url, source.source_id, run.run_id) for url in policy.seeds]
    await frontier.ingest(db, submissions)
    if totals.pending == 0:
        # A crawl that is new, or had finished, visits its start pages now, whichever source owns them, and
        # then new links on them (SPI-14). A seed that moved is an alias: its target is visited instead.
        redirect_chain = await frontier.redirect_chain(db, [seed.key for seed in submissions])
        await frontier.queue_for_run(db, redirect_chain, run.run_id, source.source_id, SEED)
        await frontier.requeue_withdrawn(db, source.source_id, run.run_id)
    await frontier.queue_awaited(db, source.source_id)
    return StartedCrawl(source, totals.pending, suspended, run, continues_run)


async def _open_run(db: asyncpg.Connection, source_id: int, frontier: FrontierStore) -> tuple[Run, bool]:
    """The run of this crawl, and whether it is the one that an interrupted process left.

    A run that was cancelled ends first. No worker runs for this crawl now, so all its entries can go.
    """
    left = await RunStore().open_of_command(db, source_id)
    if left is not None and left.is_cancelled:
        await end_now(db, frontier, left)
        left = None
    return left or await RunStore().open_for_command(db, source_id), left is not None


async def suspend_crawl(db: asyncpg.Connection, source_id: int, frontier: FrontierStore) -> None:
    """Suspend the queued URLs of a crawl until the same crawl is started again."""
    await frontier.hold_source(db, source_id)


async def suspend_idle_crawls(db: asyncpg.Connection, frontier: FrontierStore) -> None:
    """Suspend the URLs that killed crawls left in the queue: they must not delay watched sources."""
    for crawl in await unfinished_crawls(db):
        if not await is_running(db, crawl.source_id):
            await suspend_crawl(db, crawl.source_id, frontier)


async def _suspend_others(
    db: asyncpg.Connection, source: UrlOwner, frontier: FrontierStore
) -> list[UrlOwner]:
    """Suspend the URLs of other crawls and of watched sources, unless a process works on them now."""
    suspended = []
    is_watched = await is_watching(db)
    for other in await owners_with_pending_urls(db):
        if other.source_id == source.source_id:
            continue
        if not other.held:
            if is_watched and other.kind is not OwnerKind.CRAWL:
                continue
            if await is_running(db, other.source_id):
                continue
            await suspend_crawl(db, other.source_id, frontier)
        suspended.append(other)
    return suspended


def _seed(url: str, source_id: int, run_id: int) -> Submission:
    return Submission(
        key=key_of(url),
        url=url,
        host=host_of(url),
        priority=SEED,
        source_id=source_id,
        origin=UrlOrigin.MANUAL,
        run_id=run_id,
    )
