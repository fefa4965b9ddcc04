"""How often the job of a source runs, and when next (SRC-11, SRC-12). Pure.

interval = base by urgency × factor of the request rate × factor of the crawl depth
"""

import math
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from hashlib import sha256
from uuid import UUID

from outrider.errors import InvalidInput
from outrider.jobs.model import LONGEST_INTERVAL, Interval, Unit
from outrider.sources.model import Source
from outrider.sources.scope import DEFAULT_DEPTH

DEFAULT_DELAY_S = 1.0
LONGEST_BACKOFF = timedelta(hours=24)
LONGEST_RETRY_DELAY = timedelta(hours=1)
STAGGER = timedelta(minutes=5)

_MOST_DOUBLINGS = 20


class Urgency(IntEnum):
    """The urgency of a job. Each value is the lowest source priority of its class."""

    LOW = 1
    NORMAL = 4
    HIGH = 7
    CRITICAL = 9

    @classmethod
    def of(cls, priority: int) -> "Urgency":
        return max(each for each in cls if each <= max(priority, cls.LOW))


_BASE_MINUTES = {Urgency.CRITICAL: 15, Urgency.HIGH: 30, Urgency.NORMAL: 60, Urgency.LOW: 180}
_JOB_PRIORITY = {Urgency.CRITICAL: 100, Urgency.HIGH: 75, Urgency.NORMAL: 50, Urgency.LOW: 25}
_FIRST_AFTER_MINUTES = {Urgency.CRITICAL: 0, Urgency.HIGH: 1, Urgency.NORMAL: 5, Urgency.LOW: 10}


@dataclass(frozen=True, slots=True)
class JobPlan:
    """The schedule of a job, from its source."""

    every: Interval
    priority: int
    first_after: timedelta


def plan_for(source: Source) -> JobPlan:
    """The schedule that follows from a source's priority, delay and depth."""
    urgency = Urgency.of(source.priority)
    asked_s = source.policy.delay_s
    delay_s = DEFAULT_DELAY_S if asked_s is None else asked_s
    per_minute = 60 / delay_s if delay_s > 0 else math.inf
    depth = source.policy.max_depth or DEFAULT_DEPTH
    return JobPlan(
        Interval.minutes(interval_minutes(urgency, per_minute, depth)),
        _JOB_PRIORITY[urgency],
        timedelta(minutes=_FIRST_AFTER_MINUTES[urgency]),
    )


def interval_minutes(urgency: Urgency, requests_per_minute: float, depth: int) -> int:
    """The interval in whole minutes, rounded up. A depth below 0 means no limit."""
    return math.ceil(_BASE_MINUTES[urgency] * _for_rate(requests_per_minute) * _for_depth(depth))


def backoff(every: Interval, failures: int) -> timedelta:
    """The wait after a number of failures in a row: the interval, doubled each time, up to a day."""
    doubled = every.length * (1 << min(max(failures, 0), _MOST_DOUBLINGS))
    return max(every.length, min(doubled, LONGEST_BACKOFF))


def retry_delay(base_s: int, attempt: int) -> timedelta:
    """The wait before a retry: base_s × 2^(attempt - 1) seconds, at most 1 h (SCH-08, CON-39)."""
    doubled = timedelta(seconds=base_s) * (1 << min(max(attempt - 1, 0), _MOST_DOUBLINGS))
    return min(doubled, LONGEST_RETRY_DELAY)


def read_interval(count: int | None, unit: Unit, *, schedule_enabled: bool) -> Interval | None:
    """The interval of a job, None for a one-time job (JOB-06). Raises InvalidInput."""
    if count is None:
        if schedule_enabled:
            raise InvalidInput("a job with a schedule needs an interval, such as 6 hours")
        return None
    if not schedule_enabled:
        raise InvalidInput("a job that runs once has no interval: leave it out, or enable the schedule")
    if count < 1:
        raise InvalidInput(f"the interval is {count} {unit.value}: it must be at least 1")
    if count > LONGEST_INTERVAL // Interval(1, unit).length:
        raise InvalidInput(f"the interval is longer than {LONGEST_INTERVAL.days} days")
    return Interval(count, unit)


def stagger(source_id: UUID, every: Interval) -> timedelta:
    """The offset of a job in its interval: a multiple of five minutes that depends only on the source."""
    steps = max(1, every.length // STAGGER)
    return STAGGER * (int.from_bytes(sha256(source_id.bytes).digest()[:8]) % steps)


def _for_rate(requests_per_minute: float) -> float:
    if requests_per_minute <= 5:
        return 1.5
    if requests_per_minute <= 10:
        return 1.0
    return 0.75 if requests_per_minute <= 20 else 0.5


def _for_depth(depth: int) -> float:
    if 0 <= depth <= 2:
        return 1.0
    return 1.25 if 0 <= depth <= 5 else 1.5
