"""How evenly runs are spread over the day: hourly counts and the score (BAL-09, BAL-10). Pure."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from outrider.jobs.slot_entries import Rhythm, SlotEntry
from outrider.jobs.slot_times import SLOT_S
from outrider.jobs.slots import SlotMap

GOOD_SCORE = 0.7  # below it, a rebalance is worth a look (SCH-16)


@dataclass(frozen=True, slots=True)
class Distribution:
    """The runs of the next 24 hours. `hourly_counts[h]` are those in hour `h` of the day, UTC."""

    hourly_counts: tuple[int, ...]
    total_jobs: int
    average_per_hour: float
    max_per_hour: int
    min_per_hour: int
    peak_hour: int  # the earliest of equal ones
    peak_count: int
    slot_minutes: int
    distribution_score: float


def score(hourly_counts: Sequence[int]) -> float:
    """1 - stddev / mean of the counts, at least 0. An empty schedule scores 1 (CON-29)."""
    total = sum(hourly_counts)
    if total == 0:
        return 1.0
    number = len(hourly_counts)
    squares = sum(each * each for each in hourly_counts)
    stddev_by_mean = math.sqrt(number * squares - total * total) / total  # exact below the root
    return max(0.0, 1.0 - stddev_by_mean)


def distribution(entries: Iterable[SlotEntry], now: datetime) -> Distribution:
    """The report over all jobs that have a next run."""
    known = list(entries)
    return report(SlotMap(known, now), len(known))


def distribution_of_rhythms(rhythms: Sequence[Rhythm], now: datetime) -> Distribution:
    """The same report over jobs that the database has counted."""
    return report(SlotMap.of_rhythms(rhythms, now), sum(each.jobs for each in rhythms))


def report(slot_map: SlotMap, total_jobs: int) -> Distribution:
    """The report of a slot map."""
    counts = tuple(int(each) for each in slot_map.hours())
    peak = max(counts)
    return Distribution(
        hourly_counts=counts,
        total_jobs=total_jobs,
        average_per_hour=sum(counts) / len(counts),
        max_per_hour=peak,
        min_per_hour=min(counts),
        peak_hour=counts.index(peak),
        peak_count=peak,
        slot_minutes=SLOT_S // 60,
        distribution_score=score(counts),
    )
