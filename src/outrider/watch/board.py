"""What a news desk looks at while it watches: the latest articles, and how many sources need somebody."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

import asyncpg

from outrider.db.queries import Queries
from outrider.watch.news import LatestArticle, latest

MOST_ARTICLES = 60  # more than most screens are high
LATELY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Board:
    """One look at everything that is watched."""

    sources: int = 0
    failing: int = 0  # with a feed or sitemap that failed last time
    silent: int = 0  # in mode feed, without any
    articles: Sequence[LatestArticle] = ()  # the newest first

    @property
    def lag_s(self) -> float | None:
        """How long after publication the usual one of these articles was seen."""
        known = [article.lag_s for article in self.articles if article.lag_s is not None]
        return median(known) if known else None


async def look(db: asyncpg.Connection, now: datetime) -> Board:
    [row] = await db.fetch(Queries.load("outrider.watch").head_count)
    return Board(**row, articles=await latest(db, None, now - LATELY, MOST_ARTICLES))
