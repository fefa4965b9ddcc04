"""The use case of the overview: whether the crawl goes well, and its recent history (UI-02)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

import asyncpg

from outrider.backup.policy import trouble_of
from outrider.backup.task import read_history
from outrider.jobs.overview import JobOverview, read_job_overview
from outrider.metrics_history.figures import CrawlFigures, read_crawl_figures
from outrider.metrics_history.series import SeriesMetric
from outrider.services.crawl.concerns import Concern, Situation, answer_of, concerns_of
from outrider.services.metrics.timeseries import SeriesLine, TimeSeries, read_series
from outrider.services.operations.workers import WorkerPool, list_workers
from outrider.services.paging import PageRequest
from outrider.services.sources.lists import ListedSource, list_sources
from outrider.sources.model import SourceFilter
from outrider.watch.overview import WatchOverview, count_sources

MOST_FAILING = 5  # sources that are named


class HistorySpan(StrEnum):
    """How far back the charts go, with their length and the width of a point."""

    length: timedelta
    bucket: timedelta
    words: str

    def __new__(cls, name: str, length: timedelta, bucket: timedelta, words: str) -> Self:
        member = str.__new__(cls, name)
        member._value_ = name
        member.length = length
        member.bucket = bucket
        member.words = words
        return member

    HOUR = "1h", timedelta(hours=1), timedelta(minutes=1), "last hour"
    DAY = "24h", timedelta(days=1), timedelta(minutes=15), "last 24 hours"
    WEEK = "7d", timedelta(days=7), timedelta(hours=3), "last 7 days"


@dataclass(frozen=True, slots=True)
class CrawlOverview:
    """The state of everything, and the history of the chosen time."""

    span: HistorySpan
    answer: str
    concerns: Sequence[Concern]
    figures: CrawlFigures
    pool: WorkerPool
    jobs: JobOverview
    sources: WatchOverview
    failing: Sequence[ListedSource]
    success_ratio: float | None  # of the chosen time
    frontier_growth: int | None  # queued URLs, in the chosen time
    pages_per_s: TimeSeries
    statuses: TimeSeries
    frontier: TimeSeries


async def read_crawl_overview(
    db: asyncpg.Connection,
    span: HistorySpan,
    now: datetime,
    *,
    needs_scheduler: bool,
    has_daily_backup: bool,
) -> CrawlOverview:
    """The overview at `now`. It reads counters and samples, no table of URLs."""
    since = now - span.length
    async with db.transaction():
        figures = await read_crawl_figures(db)
        pool, jobs, sources = await list_workers(db), await read_job_overview(db), await count_sources(db)
        failing = await list_sources(db, SourceFilter(failing=True, enabled=True), PageRequest(MOST_FAILING))
        pages = await read_series(db, SeriesMetric.PAGES_PER_SECOND, since, now, span.bucket)
        statuses = await read_series(db, SeriesMetric.STATUS, since, now, span.bucket)
        failures = await read_series(db, SeriesMetric.FAILURES, since, now, span.bucket)
        frontier = await read_series(db, SeriesMetric.FRONTIER, since, now, span.bucket)
        backups = await read_history(db)
    answers, ratio = success_of(statuses.series, failures.series)
    situation = replace(
        _situation(figures, pool, jobs, sources, answers, ratio, needs_scheduler),
        backup_trouble=trouble_of(backups, now, is_daily=has_daily_backup),
    )
    concerns = concerns_of(situation)
    return CrawlOverview(
        span,
        answer_of(situation, concerns),
        concerns,
        figures,
        pool,
        jobs,
        sources,
        failing.items if sources.failing else (),
        ratio,
        growth_of(frontier.series, "pending"),
        pages,
        statuses,
        frontier,
    )


def success_of(statuses: Sequence[SeriesLine], failures: Sequence[SeriesLine]) -> tuple[int, float | None]:
    """How many requests ended, and the share of them with an answer of 2xx or 3xx."""
    by_class = {each.label: _sum(each) for each in statuses}
    total = sum(by_class.values()) + sum(_sum(each) for each in failures)
    good = by_class.get("2xx", 0.0) + by_class.get("3xx", 0.0)
    return int(total), good / total if total else None


def growth_of(series: Sequence[SeriesLine], label: str) -> int | None:
    """By how much a level grew from its first to its last point; None with fewer than two points."""
    points = next((each.points for each in series if each.label == label), ())
    return round(points[-1].value - points[0].value) if len(points) > 1 else None


def _sum(line: SeriesLine) -> float:
    return sum(point.value for point in line.points)


def _situation(
    figures: CrawlFigures,
    pool: WorkerPool,
    jobs: JobOverview,
    sources: WatchOverview,
    answers: int,
    ratio: float | None,
    needs_scheduler: bool,
) -> Situation:
    states: Mapping[str, int] = figures.states
    return Situation(
        pending=states["pending"],
        known=sum(states.values()),
        pages_per_s=figures.workers.pages_per_s,
        live_workers=pool.live,
        silent_workers=pool.total - pool.live,
        schedulers=figures.schedulers,
        needs_scheduler=needs_scheduler,
        jobs=jobs.jobs,
        running_jobs=jobs.running,
        failed_jobs=jobs.failed,
        sources=sources.sources,
        failing_sources=sources.failing,
        silent_sources=sources.silent,
        broken_hosts=figures.breakers.get("open", 0),
        due_hosts=figures.hosts.get("due", 0),
        queue_age_s=figures.queue_age_s,
        answers=answers,
        success_ratio=ratio,
    )
