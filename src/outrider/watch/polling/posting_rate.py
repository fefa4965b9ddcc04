"""How often a channel brings something, read from its entries' dates or from what polls have seen. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

NEWEST = 20  # entries that say how things are now; older ones say how they were
FEWEST = 3
SLACK = timedelta(hours=1)  # a clock that is wrong, a zone left out
DORMANT_S = 30 * 86_400.0  # after such a silence the next poll will most likely bring nothing either
REMEMBERED = 10


@dataclass(frozen=True, slots=True)
class Posting:
    """When the newest entry appeared, and the usual time between two."""

    newest: datetime
    gap_s: float


def posting_of(dates: Iterable[datetime | None], now: datetime) -> Posting | None:
    """None where too few entries say when they appeared. Dates in the future say nothing."""
    past = sorted({date for date in dates if date is not None and date <= now + SLACK}, reverse=True)[:NEWEST]
    if len(past) < FEWEST:
        return None
    gaps = [(later - earlier).total_seconds() for later, earlier in pairwise(past)]
    return Posting(past[0], median(gaps))


def remember_news(news: Sequence[float], now: datetime) -> list[float]:
    """The times of the last polls that brought something, for channels without dates."""
    return [*news, now.timestamp()][-REMEMBERED:]


def moments(news: Sequence[float], now: datetime) -> list[datetime]:
    """Those times as dates."""
    return [datetime.fromtimestamp(at, now.tzinfo) for at in news]
