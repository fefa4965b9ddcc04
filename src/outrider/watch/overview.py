"""The figures of the watch screen: the latest articles, and how many sources fail or have no channel."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

import asyncpg

from outrider.db.queries import Queries
from outrider.jobs.overview import NO_JOBS, JobOverview, read_job_overview
from outrider.watch.news import LatestArticle, latest

MOST_ARTICLES = 60  # more lines than most screens have
LATELY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WatchOverview:
    """All watched sources at one moment."""

    sources: int = 0
    failing: int = 0  # sources with a feed or sitemap whose last poll failed
    silent: int = 0  # sources in mode feed without a feed or sitemap
    articles: Sequence[LatestArticle] = ()  # newest first
    jobs: JobOverview = NO_JOBS

    @property
    def lag_s(self) -> float | None:
        """The median time between publication and discovery of these articles."""
        known = [article.lag_s for article in self.articles if article.lag_s is not None]
        return median(known) if known else None


async def count_sources(db: asyncpg.Connection) -> WatchOverview:
    """How many sources there are, and how many need attention; without articles and jobs."""
    [row] = await db.fetch(Queries.load("outrider.watch").head_count)
    return WatchOverview(**row)


async def read_overview(db: asyncpg.Connection, now: datetime) -> WatchOverview:
    [row] = await db.fetch(Queries.load("outrider.watch").head_count)
    articles = await latest(db, None, now - LATELY, MOST_ARTICLES)
    return WatchOverview(**row, articles=articles, jobs=await read_job_overview(db))
