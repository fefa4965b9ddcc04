"""The poll interval of a channel: the configured interval, adapted to how often the channel posts. Pure.

    wanted = a quarter of the median gap between entries, but
             at most three times faster and four times slower than the interval of the source
             (24 times slower for a channel without entries for a month),
             and no faster than its publisher asks, unless its entries appear more often than that.

An interval changes only if the wanted one differs by a quarter or more, and one poll at most halves or
doubles it, so that one unusual day has little effect.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

SHORTEST_S = 300.0
LONGEST_S = 24 * 3600.0
POLLS_A_GAP = 4
FASTER, SLOWER, DORMANT = 3, 4, 24
PUSHED = 4
STILL = 0.25
STEP = 2.0
# Much software writes one hour into every feed, so this value is not a choice of the publisher.
BOILERPLATE_S = 3600.0

_MAX_AGE = re.compile(r"(?:^|[\s,])(s-maxage|max-age)\s*=\s*\"?(\d{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ChannelHistory:
    """What polls and the publisher say about the interval of a channel."""

    gap_s: float | None = None  # between entries
    asked_interval_s: float | None = None  # the shortest interval that the publisher asks for
    is_dormant: bool = False
    interval_factor: float = 1.0  # above 1 if other methods are first, below 1 if this one is


def wanted_interval_s(base_s: float, habits: ChannelHistory) -> float:
    """The interval that fits the history of a channel."""
    slowest = base_s * (DORMANT if habits.is_dormant else SLOWER)
    learned = base_s if habits.gap_s is None else habits.gap_s / POLLS_A_GAP
    wanted = min(max(learned * habits.interval_factor, base_s / FASTER), slowest)
    if habits.asked_interval_s is not None and not (
        habits.gap_s is not None and habits.gap_s < habits.asked_interval_s
    ):
        wanted = max(wanted, habits.asked_interval_s)
    return min(max(wanted, min(SHORTEST_S, base_s)), max(LONGEST_S, base_s))


def next_interval_s(current_s: float, wanted_s: float) -> float:
    """One step from the current interval towards the wanted one."""
    if abs(wanted_s - current_s) < STILL * current_s:
        return current_s
    return min(max(wanted_s, current_s / STEP), current_s * STEP)


def pushed_interval_s(interval_s: float, pushed_for_s: float | None) -> float:
    """The longer interval of a feed whose hub pushes, at most until the subscription ends."""
    if pushed_for_s is None:
        return interval_s
    return max(min(interval_s * PUSHED, pushed_for_s, LONGEST_S), interval_s)


def asked_interval(
    ttl_minutes: int | None, update_period_s: int | None, fresh_s: float | None
) -> float | None:
    """The longest interval that the publisher states in the feed or in the HTTP headers."""
    ttl_s = None if ttl_minutes is None else ttl_minutes * 60.0
    in_feed = [float(each) for each in (ttl_s, update_period_s) if each is not None and each != BOILERPLATE_S]
    stated = [each for each in (*in_feed, fresh_s) if each is not None and each > 0]
    return min(max(stated), LONGEST_S) if stated else None


def fresh_for_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """How long the answer is fresh, by Cache-Control or Expires."""
    control = headers.get("cache-control", "")
    if "no-cache" in control.lower() or "no-store" in control.lower():
        return None
    if ages := [int(age) for _, age in _MAX_AGE.findall(control[:1000])]:
        return float(max(ages))
    try:
        return max((parsedate_to_datetime(headers["expires"]) - now).total_seconds(), 0.0)
    except (KeyError, ValueError, TypeError, OverflowError):
        return None


def next_allowed_time(at: datetime, hours: Set[int], days: Set[int]) -> datetime:
    """The first time from `at` on that is in no hour (UTC) and on no day that the publisher excludes."""
    if len(hours) >= 24 or len(days) >= 7:
        return at  # all hours or all days are excluded: ignore that
    for _ in range(7 * 24):
        if at.weekday() in days:
            at = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        elif at.hour in hours:
            at = at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        else:
            return at
    return at
