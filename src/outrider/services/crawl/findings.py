"""The use case at the end of a crawl: gather what it found, besides its counters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import asyncpg

from outrider.documents.store import DocumentStore
from outrider.fetch.outcome_name import OutcomeName
from outrider.frontier.model import State
from outrider.frontier.redirect_hops import redirects_of, redirects_since_page
from outrider.frontier.retry_reason import RetryReason, http_status
from outrider.frontier.stats import StatsStore
from outrider.urls import host_of, key_of, origin_of
from outrider.workers.monitor_queries import DeadUrl, LostTemplate, MonitorQueries, SlowHost

EXAMPLES = 3
MOST_TEMPLATES = 5
MOST_SLOW = 3
SEEDS_EXAMINED = 20
_LONGEST_CHAIN = 10


@dataclass(frozen=True, slots=True)
class SeedTrouble:
    """Why a seed was not fetched, and the target if it redirects."""

    reason: str
    leads_to: str | None = None
    waiting_host: str | None = None  # of the URL to request next: the seed or where it redirects
    is_of_robots: bool = False  # the answer with an error was robots.txt, not the page


@dataclass(frozen=True, slots=True)
class CrawlFindings:
    """The findings of a crawl in the database, besides its counters."""

    examples: Mapping[str, Sequence[DeadUrl]] = field(default_factory=dict)  # by reason of death
    templates: Sequence[LostTemplate] = ()
    slowest: Sequence[SlowHost] = ()
    troubles: Mapping[str, SeedTrouble] = field(default_factory=dict)  # by seed
    uncompared: int = 0  # documents that were not searched for near-duplicates


async def gather_findings(
    db: asyncpg.Connection, source_id: int, seeds: Sequence[str], since: datetime
) -> CrawlFindings:
    """What a crawl found since its start; every query is bounded."""
    async with db.transaction():
        return await _gather(db, source_id, seeds, since)


async def _gather(
    db: asyncpg.Connection, source_id: int, seeds: Sequence[str], since: datetime
) -> CrawlFindings:
    stats, monitor = StatsStore(), MonitorQueries()
    return CrawlFindings(
        examples=await monitor.dead_examples(db, source_id, EXAMPLES),
        templates=await monitor.lost_templates(db, since, MOST_TEMPLATES),
        slowest=await monitor.slowest_since(db, since, MOST_SLOW),
        troubles={
            seed: trouble
            for seed in seeds[:SEEDS_EXAMINED]
            if (trouble := await _trouble_of(db, stats, seed, source_id)) is not None
        },
        uncompared=await DocumentStore().count_unsigned(db),
    )


async def _trouble_of(
    db: asyncpg.Connection, stats: StatsStore, url: str, source_id: int
) -> SeedTrouble | None:
    """Why a URL was not fetched for a source; None if it was fetched, or no reason is known."""
    row: Any = await stats.find(db, key_of(url))
    for _ in range(_LONGEST_CHAIN):
        if row is None or row["redirects_to"] is None:
            break
        row = await stats.find(db, key_of(row["redirects_to"]))
    if row is None:
        return None
    if row["shared"]:
        wanted = await stats.wanted_by(db, key_of(row["url"]))
        stands = next((each for each in wanted if each.source_id == source_id), None)
        if stands is not None and stands.state is not State.PENDING:
            return None if stands.reason is None else SeedTrouble(stands.reason)
    key = key_of(row["url"])
    if row["reason"] is not None:
        last = next(iter(await redirects_of(db, key)), None)
        is_redirect = last is not None and row["http_status"] == last.status
        is_queued = row["next_fetch_at"] is not None
        return SeedTrouble(
            str(row["reason"]),
            last.to_url if last and is_redirect else None,
            waiting_host=host_of(row["url"]) if is_queued else None,
        )
    if row["next_fetch_at"] is None:
        since_page = await redirects_since_page(db, key)
        last = next(iter(since_page.seen), None) if since_page else None
        was_last_answer = last is not None and row["http_status"] == last.status
        return (
            SeedTrouble(RetryReason.REDIRECT_UNCONFIRMED, last.to_url) if last and was_last_answer else None
        )
    # The URL was never requested, because its robots.txt could not be read.
    history = await stats.history(db, key_of(f"{origin_of(row['url'])}/robots.txt"), limit=1)
    if not history:
        return None
    answer, host = history[0], host_of(row["url"])
    if answer.outcome == OutcomeName.REJECTED and answer.status is not None:
        return SeedTrouble(http_status(answer.status), waiting_host=host, is_of_robots=True)
    return SeedTrouble(answer.outcome, waiting_host=host)
