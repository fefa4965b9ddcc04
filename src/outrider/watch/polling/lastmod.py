"""Which entries of a sitemap are worth queueing, and whether its lastmod can be believed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from outrider.feeds.model import SitemapEntry

WINDOW = timedelta(hours=48)  # FED-16
AHEAD = timedelta(days=1)  # how far in the future a clock may be wrong
STAMPED_WITHIN = timedelta(minutes=10)
ENOUGH = 5  # entries or documents from which a pattern is one
MOST_DATED = 1_000
MOST_UNDATED = 200
LIES_TO_LOSE_TRUST = 2
BROKEN_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class SitemapSelection:
    """What to queue: entries said to have changed lately, and those that do not say."""

    dated: Sequence[SitemapEntry]
    undated: Sequence[SitemapEntry]
    old: int  # said to have changed before the window


def choose(
    entries: Sequence[SitemapEntry], now: datetime, *, is_trusted: bool = True, backfill: bool = False
) -> SitemapSelection:
    """Entries changed within the window, newest first, and entries without a date in their own order.

    Where lastmod is not to be trusted nothing is dated. News counts by its publication date, which no
    generator stamps. With `backfill` everything is wanted, however old. What changed lately and is too much
    for one poll is as good as undated: it comes when its turn does.
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
    """Every page claims to have changed the moment it was asked for: that is a clock, not a date."""
    return len(lastmods) >= ENOUGH and all(now - STAMPED_WITHIN <= lastmod for lastmod in lastmods)


@dataclass(frozen=True, slots=True)
class LastmodAccuracy:
    """Of the pages fetched after a claimed change: how many there are, and how many had not changed."""

    kept_or_broken: int = 0
    broken: int = 0

    @property
    def are_worthless(self) -> bool:
        return self.kept_or_broken >= ENOUGH and self.broken >= BROKEN_SHARE * self.kept_or_broken


def lies_after(lies: int, *, lied: bool) -> int:
    """How often in a row lastmod was caught lying; honest polls win trust back one by one."""
    return min(lies + 1, 2 * LIES_TO_LOSE_TRUST) if lied else max(lies - 1, 0)


def is_trusted(lies: int) -> bool:
    return lies < LIES_TO_LOSE_TRUST
