"""Selects the entries of a sitemap to queue, and judges whether its lastmod is accurate. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from outrider.feeds.model import SitemapEntry

WINDOW = timedelta(hours=48)  # FED-16
AHEAD = timedelta(days=1)  # the most that a date may lie in the future
STAMPED_WITHIN = timedelta(minutes=10)
ENOUGH = 5  # entries or documents needed for a judgement
MOST_DATED = 1_000
MOST_UNDATED = 200
FALSE_POLLS_TO_LOSE_TRUST = 2
BROKEN_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class SitemapSelection:
    """Entries to queue: those with a recent date, and those without a date."""

    dated: Sequence[SitemapEntry]
    undated: Sequence[SitemapEntry]
    old: int  # number of entries dated before the window


def choose(
    entries: Sequence[SitemapEntry], now: datetime, *, is_trusted: bool = True, backfill: bool = False
) -> SitemapSelection:
    """Entries changed within the window, newest first, and entries without a date in their own order.

    If lastmod is not trusted, only publication dates of news count, which generators do not stamp.
    `backfill` also takes old entries. Recent entries beyond `MOST_DATED` count as undated, so that later
    polls take them.
    """
    dated: list[tuple[datetime, SitemapEntry]] = []
    undated: list[SitemapEntry] = []
    old = 0
    for entry in entries:
        date = entry.published_at or (entry.lastmod if is_trusted else None)
        if date is None:
            undated.append(entry)
        elif now - WINDOW <= date <= now + AHEAD:
            dated.append((date, entry))
        elif backfill:
            undated.append(entry)
        else:
            old += 1
    dated.sort(key=lambda pair: (pair[1].published_at is not None, pair[0]), reverse=True)
    latest = [entry for _, entry in dated]
    return SitemapSelection(latest[:MOST_DATED], [*undated, *latest[MOST_DATED:]], old)


def is_stamped(lastmods: Sequence[datetime], now: datetime) -> bool:
    """Whether every lastmod is the time of the request: the generator stamps it, and it tells nothing."""
    return len(lastmods) >= ENOUGH and all(now - STAMPED_WITHIN <= lastmod for lastmod in lastmods)


@dataclass(frozen=True, slots=True)
class LastmodAccuracy:
    """How many pages were fetched after a claimed change, and how many of them had not changed."""

    kept_or_broken: int = 0
    broken: int = 0

    @property
    def are_mostly_false(self) -> bool:
        return self.kept_or_broken >= ENOUGH and self.broken >= BROKEN_SHARE * self.kept_or_broken


def false_polls_after(false_polls: int, *, is_false: bool) -> int:
    """The new count of polls with a false lastmod: plus one after a false one, minus one after a true one."""
    return min(false_polls + 1, 2 * FALSE_POLLS_TO_LOSE_TRUST) if is_false else max(false_polls - 1, 0)


def is_trusted(false_polls: int) -> bool:
    return false_polls < FALSE_POLLS_TO_LOSE_TRUST
