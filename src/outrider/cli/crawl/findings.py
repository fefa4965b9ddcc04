"""What a finished crawl has to tell, gathered from the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import asyncpg

from outrider.cli.crawl.views import Task
from outrider.documents.store import DocumentStore
from outrider.frontier.counter_name import CounterName
from outrider.frontier.redirect_hops import redirects_of, redirects_since_page
from outrider.frontier.retry_reason import RetryReason
from outrider.frontier.stats import StatsStore
from outrider.urls import key_of, origin_of
from outrider.workers.onlooker import DeadUrl, LostTemplate, Onlooker, SlowHost
from outrider.workers.snapshot import Ending, Snapshot

EXAMPLES = 3
MOST_TEMPLATES = 5
MOST_SLOW = 3
SEEDS_EXAMINED = 20
_LONGEST_CHAIN = 10


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a seed was not fetched, and where it redirects, if that is why."""

    reason: str
    leads_to: str | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the database knows of a crawl, besides its counters."""

    examples: Mapping[str, Sequence[DeadUrl]] = field(default_factory=dict)  # by reason of death
    templates: Sequence[LostTemplate] = ()
    slowest: Sequence[SlowHost] = ()
    troubles: Mapping[str, Trouble] = field(default_factory=dict)  # by seed
    uncompared: int = 0  # documents that were not searched for near-duplicates


@dataclass(frozen=True, slots=True)
class Findings:
    """A crawl after its end."""

    task: Task
    ending: Ending
    snapshot: Snapshot
    depth: int
    stopped: bool = False  # interrupted twice
    lines_lost: int = 0  # of the log, which could not be written
    gathered: Gathered = field(default_factory=Gathered)

    @property
    def has_failed(self) -> bool:
        """Nothing came of it, or it was cut off."""
        if self.stopped:
            return True
        is_over = self.ending in (Ending.FINISHED, Ending.WAITING)
        return is_over and self.snapshot.since_start(CounterName.PAGES) == 0 and bool(self.gathered.troubles)


async def gather(db: asyncpg.Connection, source_id: int, seeds: Sequence[str], since: datetime) -> Gathered:
    """Examples and reasons; every question is bounded."""
    stats, onlooker = StatsStore(), Onlooker()
    return Gathered(
        examples=await onlooker.dead_examples(db, source_id, EXAMPLES),
        templates=await onlooker.lost_templates(db, since, MOST_TEMPLATES),
        slowest=await onlooker.slowest_since(db, since, MOST_SLOW),
        troubles={
            seed: trouble
            for seed in seeds[:SEEDS_EXAMINED]
            if (trouble := await trouble_of(db, stats, seed, source_id)) is not None
        },
        uncompared=await DocumentStore().count_unsigned(db),
    )


async def trouble_of(db: asyncpg.Connection, stats: StatsStore, url: str, source_id: int) -> Trouble | None:
    """Why a URL was not fetched for a source; None when it was, or nothing is known against it."""
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
        if stands is not None and stands.state != "pending":
            return None if stands.reason is None else Trouble(stands.reason)
    key = key_of(row["url"])
    if row["reason"] is not None:
        last = next(iter(await redirects_of(db, key)), None)
        is_redirect = last is not None and row["http_status"] == last.status
        return Trouble(str(row["reason"]), last.to_url if last and is_redirect else None)
    if row["q_at"] is None:
        since_page = await redirects_since_page(db, key)
        last = next(iter(since_page.seen), None) if since_page else None
        was_last_answer = last is not None and row["http_status"] == last.status
        return Trouble(RetryReason.REDIRECT_UNCONFIRMED, last.to_url) if last and was_last_answer else None
    # Never asked for: then it was robots.txt that could not be had.
    history = await stats.history(db, key_of(f"{origin_of(row['url'])}/robots.txt"), limit=1)
    return Trouble(history[0].outcome) if history else None
