"""All the counts of a database at one moment (FRO-14). They are maintained, so nothing is scanned."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.store import DocumentStore
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.stats import Pulse, StatsStore
from outrider.worker_registry.store import RegisteredWorker, WorkerRegistry

STATES = {  # how each is shown
    CounterName.PENDING: "pending",
    CounterName.FETCHED: "fetched",
    CounterName.DEAD: "dead",
    CounterName.ALIAS: "aliases",
}


@dataclass(frozen=True, slots=True)
class Overview:
    """What the database holds and what is going on in it."""

    sources: Mapping[str, Mapping[str, int]]  # source → counter → value
    pulse: Pulse
    workers: Sequence[RegisteredWorker]
    database_bytes: int
    uncompared: int  # documents that wait to be searched for near-duplicates
    corrections: Mapping[str, int] = field(default_factory=dict)  # what the sources count more than once

    @property
    def counts(self) -> Counter[str]:
        """The counters of all sources together; what several of them share is counted once."""
        total = Counter(self.corrections)
        for counts in self.sources.values():
            total.update(counts)
        return total

    def group(self, prefix: CounterPrefix) -> dict[str, int]:
        """Counters such as `dead.not_found` by what follows the dot, most first."""
        found = {
            name.removeprefix(prefix): value for name, value in self.counts.items() if name.startswith(prefix)
        }
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


async def overview(db: asyncpg.Connection) -> Overview:
    """Take one look."""
    sql = Queries.load("outrider.crawl.by_hand")
    sources: dict[str, dict[str, int]] = {}
    corrections: dict[str, int] = {}
    for row in await db.fetch(sql.counts_by_source):
        if row["is_correction"]:
            corrections[row["name"]] = row["value"]
        else:
            sources.setdefault(row["source"] or "unknown", {})[row["name"]] = row["value"]
    stats = StatsStore()
    return Overview(
        sources=sources,
        pulse=await stats.pulse(db),
        workers=await WorkerRegistry().live(db),
        database_bytes=await db.fetchval(sql.database_size),
        uncompared=await DocumentStore().count_unsigned(db),
        corrections=corrections,
    )
