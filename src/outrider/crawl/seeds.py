"""Starting a crawl: its source, its seeds, and what earlier crawls left behind."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.crawl.processes import is_running, is_watching
from outrider.frontier.model import Submission, UrlOrigin
from outrider.frontier.priority import SEED
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.sources.crawl_commands import crawl_name, ensure_crawl, unfinished_crawls
from outrider.sources.owners import OwnerKind, UrlOwner, mark_held, owners_with_pending_urls
from outrider.sources.page_limit import settle_pages
from outrider.sources.policy import Policy
from outrider.urls import host_of, key_of


@dataclass(frozen=True, slots=True)
class Start:
    """How a crawl began: new, resumed, or started again after it had finished."""

    source: UrlOwner
    resumed: int  # URLs still queued from the previous run
    put_aside: Sequence[UrlOwner]  # other crawls of this database, which wait


async def start(db: asyncpg.Connection, policy: Policy, frontier: FrontierStore, stats: StatsStore) -> Start:
    """Queue the seeds, or resume the same crawl. One transaction."""
    source = await ensure_crawl(db, crawl_name(policy.seeds), policy)
    put_aside = await _put_others_aside(db, source, frontier)
    if source.held:
        await frontier.resume_source(db, source.source_id)
        await mark_held(db, source.source_id, held=False)
    await settle_pages(db, source.source_id)
    totals = await stats.totals(db, source.source_id)
    submissions = [_seed(url, source.source_id) for url in policy.seeds]
    await frontier.ingest(db, submissions)
    if totals.pending == 0:
        # A crawl that is new, or had finished, visits its start pages now, whichever source owns them, and
        # then new links on them (SPI-14). A seed that moved is an alias: its target is visited instead.
        trail = await frontier.trail(db, [seed.key for seed in submissions])
        await frontier.visit_again(db, trail, source.source_id, SEED)
        await frontier.hasten(db, trail, source.source_id)
    await frontier.queue_awaited(db, source.source_id)
    return Start(source, totals.pending, put_aside)


async def put_aside(db: asyncpg.Connection, source_id: int, frontier: FrontierStore) -> None:
    """Suspend the queued URLs of a crawl until the same crawl is started again."""
    await frontier.hold_source(db, source_id)
    await mark_held(db, source_id, held=True)


async def put_idle_crawls_aside(db: asyncpg.Connection, frontier: FrontierStore) -> None:
    """Suspend the URLs that killed crawls left in the queue: they must not delay watched sources."""
    for crawl in await unfinished_crawls(db):
        if not await is_running(db, crawl.source_id):
            await put_aside(db, crawl.source_id, frontier)


async def _put_others_aside(
    db: asyncpg.Connection, source: UrlOwner, frontier: FrontierStore
) -> list[UrlOwner]:
    """Suspend the URLs of other crawls and of watched sources, unless a process works on them now."""
    aside = []
    is_watched = await is_watching(db)
    for other in await owners_with_pending_urls(db):
        if other.source_id == source.source_id:
            continue
        if not other.held:
            if is_watched and other.kind is not OwnerKind.CRAWL:
                continue
            if await is_running(db, other.source_id):
                continue
            await put_aside(db, other.source_id, frontier)
        aside.append(other)
    return aside


def _seed(url: str, source_id: int) -> Submission:
    return Submission(
        key=key_of(url),
        url=url,
        host=host_of(url),
        priority=SEED,
        source_id=source_id,
        origin=UrlOrigin.MANUAL,
    )
