"""Ends crawls that no process of their own ends: those that operators start through the API. One pass."""

import asyncpg

from outrider.crawl.processes import crawled_sources
from outrider.crawl.seeds import suspend_crawl
from outrider.frontier.counter_name import CounterName
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.logs import get_logger
from outrider.runs.ending import end_if_over, end_now
from outrider.runs.model import OpenCrawl, Run, StartedBy
from outrider.runs.store import RunStore
from outrider.sources.owners import owner_by_id

log = get_logger()


async def end_operator_runs(db: asyncpg.Connection, frontier: FrontierStore) -> int:
    """End the runs that are over, or have reached their page limit; returns how many.

    A cancelled run of a crawl command whose process is gone is ended, too.
    """
    ended = 0
    crawls = await RunStore().open_crawls(db)
    if not crawls:
        return 0
    crawled = await crawled_sources(db)
    for each in crawls:
        if _is_ended_here(each) and each.source_id not in crawled:
            ended += await _end(db, frontier, each) is not None
    return ended


def _is_ended_here(crawl: OpenCrawl) -> bool:
    return crawl.started_by is StartedBy.OPERATOR or crawl.is_cancelled


async def _end(db: asyncpg.Connection, frontier: FrontierStore, crawl: OpenCrawl) -> Run | None:
    run = await RunStore().by_id(db, crawl.run_id)
    if crawl.is_cancelled or crawl.waiting <= 0:
        ended = await end_if_over(db, frontier, run)
    elif await _has_all_pages(db, crawl.source_id):
        async with db.transaction():
            ended = await end_now(db, frontier, run)
    else:
        return None
    if ended is None:
        return None
    async with db.transaction():
        if (await StatsStore().totals(db, crawl.source_id)).pending:
            await suspend_crawl(db, crawl.source_id, frontier)
    log.info("run ended", run=ended.run_id, status=ended.status.value)
    return ended


async def _has_all_pages(db: asyncpg.Connection, source_id: int) -> bool:
    """Whether all pages within the page limit are written: workers fetch no other page of the crawl."""
    limit = (await owner_by_id(db, source_id)).policy.max_pages
    if limit is None:
        return False
    totals = await StatsStore().totals(db, source_id)
    return totals.others.get(CounterName.PAGES, 0) >= limit
