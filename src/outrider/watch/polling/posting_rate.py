"""How often a channel posts, by the dates of its entries or by the polls that found changes. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

NEWEST = 20  # entries that count: older ones say little about the present
FEWEST = 3
SLACK = timedelta(hours=1)  # allows for a wrong clock or a missing time zone
DORMANT_S = 30 * 86_400.0  # a channel without entries for this long is dormant
REMEMBERED = 10


@dataclass(frozen=True, slots=True)
class PostingRate:
    """The time of the newest entry, and the median gap between entries."""

    newest: datetime
    gap_s: float


def posting_of(dates: Iterable[datetime | None], now: datetime) -> PostingRate | None:
    """None if too few entries have a date. Dates in the future are ignored."""
    past = sorted({date for date in dates if date is not None and date <= now + SLACK}, reverse=True)[:NEWEST]
    if len(past) < FEWEST:
        return None
    gaps = [(later - earlier).total_seconds() for later, earlier in pairwise(past)]
    return PostingRate(past[0], median(gaps))


def remember_news(news: Sequence[float], now: datetime) -> list[float]:
    """Add `now` to the times of the last polls that found changes, for channels without dates."""
    return [*news, now.timestamp()][-REMEMBERED:]


def moments(news: Sequence[float], now: datetime) -> list[datetime]:
    """The stored timestamps as datetimes."""
    return [datetime.fromtimestamp(at, now.tzinfo) for at in news]
