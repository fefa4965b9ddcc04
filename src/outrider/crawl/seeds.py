"""Starting a crawl: its source, its seeds, and what earlier crawls left behind."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import asyncpg

from outrider.crawl.policy import Policy
from outrider.frontier.model import Origin, Submission
from outrider.frontier.priority import SEED
from outrider.frontier.sources import Source, SourceStore
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.urls import host_of, key_of

LONGEST_NAME = 500


@dataclass(frozen=True, slots=True)
class Start:
    """How a crawl began: fresh, resumed, or looking again at what it had finished."""

    source: Source
    resumed: int  # URLs still queued from last time
    put_aside: Sequence[Source]  # other crawls of this data directory, left waiting


def name_of(seeds: Sequence[str]) -> str:
    """What a crawl of these seeds is called: the same seeds are the same crawl, whatever their order."""
    unique = sorted(set(seeds))
    name = "crawl " + " ".join(unique)
    if len(name) <= LONGEST_NAME:
        return name
    # A name is an index key, and nobody reads past the first of three hundred addresses.
    digest = sha256(name.encode()).hexdigest()[:16]
    return f"crawl {unique[0][:LONGEST_NAME]} and {len(unique) - 1} more ({digest})"


async def start(
    db: asyncpg.Connection, policy: Policy, frontier: FrontierStore, sources: SourceStore, stats: StatsStore
) -> Start:
    """Put the seeds in the queue, or take up where the same crawl was left. One transaction."""
    source = await sources.ensure(db, name_of(policy.seeds), policy.to_json(), policy.priority)
    put_aside = await _put_others_aside(db, source, frontier, sources)
    if source.held:
        await frontier.resume_source(db, source.source_id)
        await sources.mark_held(db, source.source_id, held=False)
    await sources.settle_pages(db, source.source_id)
    totals = await stats.totals(db, source.source_id)
    submissions = [_seed(url, source.source_id) for url in policy.seeds]
    await frontier.ingest(db, submissions)
    if totals.pending == 0:
        # A crawl that is new, or was finished before, visits its start pages now, whoever wanted them first,
        # and then what is new on them (SPI-14). A seed that moved is an alias: the page it leads to counts.
        trail = await frontier.trail(db, [seed.key for seed in submissions])
        await frontier.visit_again(db, trail, source.source_id, SEED)
        await frontier.hasten(db, trail, source.source_id)
    await frontier.queue_awaited(db, source.source_id)
    return Start(source, totals.pending, put_aside)


async def put_aside(
    db: asyncpg.Connection, source_id: int, frontier: FrontierStore, sources: SourceStore
) -> None:
    """What is left of a crawl waits until the same crawl is started again."""
    await frontier.hold_source(db, source_id)
    await sources.mark_held(db, source_id, held=True)


async def put_idle_crawls_aside(
    db: asyncpg.Connection, frontier: FrontierStore, sources: SourceStore
) -> None:
    """Crawls that were killed left URLs in the queue: those must not take the turns of watched sources."""
    for crawl in await sources.all(db):
        is_idle = crawl.kind == "crawl" and crawl.pending and not crawl.held
        if is_idle and not await sources.is_running(db, crawl.source_id):
            await put_aside(db, crawl.source_id, frontier, sources)


async def _put_others_aside(
    db: asyncpg.Connection, source: Source, frontier: FrontierStore, sources: SourceStore
) -> list[Source]:
    """URLs of other crawls and of watched sources wait, unless somebody is at work on them right now."""
    aside = []
    is_watching = await sources.is_watching(db)
    for other in await sources.all(db):
        if other.source_id == source.source_id or not other.pending:
            continue
        if not other.held:
            if is_watching and other.kind != "crawl":
                continue
            if await sources.is_running(db, other.source_id):
                continue
            await put_aside(db, other.source_id, frontier, sources)
        aside.append(other)
    return aside


def _seed(url: str, source_id: int) -> Submission:
    return Submission(
        key=key_of(url),
        url=url,
        host=host_of(url),
        priority=SEED,
        source_id=source_id,
        origin=Origin.MANUAL,
    )
