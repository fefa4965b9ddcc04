"""Which discovery method finds articles first, and the poll interval factors that follow from it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.model import EntryKind
from outrider.watch.channels.model import DiscoveryMethod

DAYS = 14.0
ENOUGH = 20  # articles seen by several methods, below which the share is not used
SELDOM, MOSTLY = 0.05, 0.8  # share of those articles that a method saw first
AT_ONCE = 500  # sources in one statement
MORE, LESS = 0.5, 2.0  # interval factors; `polling/intervals.py` keeps the result within bounds

_POLLED = {
    DiscoveryMethod.FEED: (EntryKind.FEED, None),
    DiscoveryMethod.NEWS_SITEMAP: (EntryKind.SITEMAP, True),
    DiscoveryMethod.SITEMAP: (EntryKind.SITEMAP, False),
}
_HEIGHT = {way: place for place, way in enumerate(DiscoveryMethod)}


@dataclass(frozen=True, slots=True)
class MethodStats:
    """Articles that one method saw, and saw first. `contested` are those that another method saw, too."""

    way: DiscoveryMethod
    seen: int
    first: int
    contested: int = 0
    won: int = 0
    median_lag_s: float | None = None  # from publication to sighting


def interval_factor(stats: MethodStats) -> float:
    """The interval factor for channels of a method: longer if it is seldom first, shorter if mostly first."""
    if stats.contested < ENOUGH:
        return 1.0
    share = stats.won / stats.contested
    if share < SELDOM:
        return LESS
    return MORE if share >= MOSTLY else 1.0


async def discovery_stats(db: asyncpg.Connection, source_id: int, days: float = DAYS) -> list[MethodStats]:
    """The methods that saw articles in the last `days`, fastest method first."""
    stats_by_method = (await _stats_by_source(db, [source_id], days)).get(source_id, ())
    return sorted(stats_by_method, key=lambda stats: _HEIGHT[stats.way])


async def learn(db: asyncpg.Connection, days: float = DAYS) -> int:
    """Set the interval factors of every source's channels; returns how many sources have statistics."""
    sql = Queries.load("outrider.watch")
    sources = [row["source_id"] for row in await db.fetch(sql.sources_with_ladder, days)]
    for first in range(0, len(sources), AT_ONCE):
        stats_by_source = await _stats_by_source(db, sources[first : first + AT_ONCE], days)
        factors = [
            (source_id, *_POLLED[stats.way], interval_factor(stats))
            for source_id, stats_by_method in stats_by_source.items()
            for stats in stats_by_method
            if stats.way in _POLLED
        ]
        await db.execute(
            sql.set_interval_factors,
            [source_id for source_id, _, _, _ in factors],
            [int(kind) for _, kind, _, _ in factors],
            [is_news for _, _, is_news, _ in factors],
            [interval_factor for _, _, _, interval_factor in factors],
        )
    return len(sources)


async def _stats_by_source(
    db: asyncpg.Connection, source_ids: Sequence[int], days: float
) -> Mapping[int, Sequence[MethodStats]]:
    stats_by_source: dict[int, list[MethodStats]] = defaultdict(list)
    for row in await db.fetch(Queries.load("outrider.watch").stats_by_source, source_ids, days):
        values = dict(row)
        stats_by_source[values.pop("source_id")].append(
            MethodStats(**{**values, "way": DiscoveryMethod(row["way"])})
        )
    return stats_by_source
