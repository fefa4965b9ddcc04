"""Starting a crawl: its source, its seeds, and what earlier crawls left behind."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.crawl.processes import is_running, is_watching
from outrider.errors import Conflict
from outrider.frontier.model import NO_RUN, Submission, UrlOrigin
from outrider.frontier.priority import SEED
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.runs.ending import end_now
from outrider.runs.model import Run, StartedBy
from outrider.runs.store import RunStore
from outrider.sources.crawl_commands import crawl_name, ensure_crawl, unfinished_crawls
from outrider.sources.owners import OwnerKind, UrlOwner, owner_by_id, owners_with_pending_urls
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
    return await _begin(db, source, suspended, frontier, stats, StartedBy.COMMAND)


async def start_for_operator(
    db: asyncpg.Connection, policy: Policy, frontier: FrontierStore, stats: StatsStore
) -> StartedCrawl:
    """Queue the seeds for the workers that run, beside everything else. One transaction.

    A scheduler ends the run. Raises Conflict while the same crawl runs already.
    """
    source = await ensure_crawl(db, crawl_name(policy.seeds), policy)
    run = await RunStore().open_of_command(db, source.source_id)
    if await is_running(db, source.source_id):
        raise Conflict("`outrider crawl` runs this crawl already: it has the same start URLs")
    if run is not None and run.is_cancelled:
        raise Conflict(f"run {run.run_id} of this crawl is being cancelled: start it again when it has ended")
    if run is not None and run.started_by is StartedBy.OPERATOR:
        raise Conflict(f"this crawl is running already, as run {run.run_id}: it has the same start URLs")
    return await _begin(db, source, (), frontier, stats, StartedBy.OPERATOR)


async def _begin(
    db: asyncpg.Connection,
    source: UrlOwner,
    suspended: Sequence[UrlOwner],
    frontier: FrontierStore,
    stats: StatsStore,
    started_by: StartedBy,
) -> StartedCrawl:
    policy = source.policy
    if source.held:
        await frontier.resume_source(db, source.source_id)
    await settle_pages(db, source.source_id)
    totals = await stats.totals(db, source.source_id)
    run, continues_run = await _open_run(db, source.source_id, frontier, started_by)
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


async def _open_run(
    db: asyncpg.Connection, source_id: int, frontier: FrontierStore, started_by: StartedBy
) -> tuple[Run, bool]:
    """The run of this crawl, and whether it is the one that an interrupted process left.

    A run that was cancelled ends first. No worker runs for this crawl now, so all its entries can go.
    """
    left = await RunStore().open_of_command(db, source_id)
    if left is not None and left.is_cancelled:
        await end_now(db, frontier, left)
        left = None
    if left is not None:
        return await RunStore().adopt(db, left, started_by), True
    return await RunStore().open_for_command(db, source_id, started_by), False


async def suspend_crawl(db: asyncpg.Connection, source_id: int, frontier: FrontierStore) -> None:
    """Suspend the queued URLs of a crawl until the same crawl is started again."""
    await frontier.hold_source(db, source_id)


async def suspend_idle_crawls(db: asyncpg.Connection, frontier: FrontierStore) -> None:
    """Suspend the URLs that killed crawls left in the queue: they must not delay watched sources."""
    of_operators = await crawls_of_operators(db)
    for crawl in await unfinished_crawls(db):
        if crawl.source_id not in of_operators and not await is_running(db, crawl.source_id):
            await suspend_crawl(db, crawl.source_id, frontier)


async def crawls_of_operators(db: asyncpg.Connection) -> set[int]:
    """The crawls that operators started and that go on: every worker may fetch their URLs."""
    found = await RunStore().open_crawls(db)
    return {run.source_id for run in found if run.started_by is StartedBy.OPERATOR}


async def resume_crawls_of_operators(db: asyncpg.Connection, frontier: FrontierStore) -> None:
    """Show the URLs again of crawls that a crawl command on the same database held."""
    for source_id in sorted(await crawls_of_operators(db)):
        if (await owner_by_id(db, source_id)).held:
            await frontier.resume_source(db, source_id)


async def _suspend_others(
    db: asyncpg.Connection, source: UrlOwner, frontier: FrontierStore
) -> list[UrlOwner]:
    """Suspend the URLs of other crawls and of watched sources, unless a process works on them now."""
    suspended = []
    is_watched, of_operators = await is_watching(db), await crawls_of_operators(db)
    for other in await owners_with_pending_urls(db):
        if other.source_id == source.source_id:
            continue
        if not other.held:
            if is_watched and (other.kind is not OwnerKind.CRAWL or other.source_id in of_operators):
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
