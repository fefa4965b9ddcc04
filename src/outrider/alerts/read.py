"""Read the figures of a pass: counters, samples and small tables, through the rooms that own them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import asyncpg

from outrider.alerts.figures import Figures, Point, SiteDeadLinks
from outrider.alerts.options import AlertOptions
from outrider.alerts.store import AlertStore
from outrider.backup.task import read_history
from outrider.jobs.schedulers import list_schedulers
from outrider.jobs.store import JobStore
from outrider.links.monitor.store import LinkStore
from outrider.metrics_history.series import SeriesMetric
from outrider.metrics_history.store import HistoryStore
from outrider.runs.listing import latest_results
from outrider.sites.store import SiteStore
from outrider.sources.failing_feeds import failing_sources
from outrider.worker_registry.store import WorkerRegistry

MINUTE = timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PARTS = 24  # of a time within which the least level is looked for
MOST_RUNS = 1_000
MOST_SITES = 1_000
MOST_POINTS = 20_000
STALE_LOCKS = "stale_locks"


@dataclass(frozen=True, slots=True)
class Reading:
    """The figures at a moment, and the levels to remember for the next passes, by the time they count."""

    at: datetime
    figures: Figures
    levels: Mapping[timedelta, Mapping[str, int]]


async def read_figures(db: asyncpg.Connection, options: AlertOptions, *, is_backed_up_daily: bool) -> Reading:
    """The figures of this moment. The time of no query grows with the number of URLs."""
    at = await JobStore().now(db)
    locks = {STALE_LOCKS: sum(each.stale_locks_cleared for each in await list_schedulers(db))}
    least_locks = await AlertStore().least_levels(db, locks, HOUR)
    sites, dead = await _sites(db)
    runs = await latest_results(db, DAY.total_seconds(), MOST_RUNS)
    planned, score = await _distribution(db, at)
    figures = Figures(
        answers=await _series(db, SeriesMetric.STATUS, at, options.error_window_s),
        queued=(await _series(db, SeriesMetric.FRONTIER, at, options.growth_minutes * 60.0)).get(
            "pending", ()
        ),
        due_hosts=await _due_hosts(db, at),
        live_workers=len(await WorkerRegistry().live(db)),
        failing_sources=await failing_sources(db, options.feed_errors),
        runs_completed=runs.completed,
        runs_failed=runs.failed,
        stale_locks=locks[STALE_LOCKS] - least_locks[STALE_LOCKS],
        planned_runs=planned,
        distribution_score=score,
        sites=sites,
        backups=await read_history(db),
        is_backed_up_daily=is_backed_up_daily,
    )
    return Reading(at, figures, {HOUR: locks, DAY: dead})


async def _series(
    db: asyncpg.Connection, metric: SeriesMetric, at: datetime, seconds: float
) -> dict[str, list[Point]]:
    """The samples of the last seconds by label, with some more before them."""
    since = at - timedelta(seconds=seconds) - 3 * MINUTE
    found: dict[str, list[Point]] = {}
    for each in await HistoryStore().points(db, metric, since, at + MINUTE, MINUTE, MOST_POINTS):
        found.setdefault(each.label, []).append(Point(each.at, each.newest))
    return found


async def _due_hosts(db: asyncpg.Connection, at: datetime) -> int:
    """The hosts that waited for a worker when the last sample was taken."""
    due = (await _series(db, SeriesMetric.HOSTS, at, 0.0)).get("due")
    return int(due[-1].value) if due else 0


async def _distribution(db: asyncpg.Connection, at: datetime) -> tuple[int, float]:
    """The runs of the next day, and how evenly they are spread."""
    from outrider.jobs.distribution import distribution_of_rhythms  # it imports numpy, which is slow

    spread = distribution_of_rhythms(await JobStore().rhythms(db, at), at)
    return sum(spread.hourly_counts), spread.distribution_score


async def _sites(db: asyncpg.Connection) -> tuple[list[SiteDeadLinks], dict[str, int]]:
    """The dead links of each owned site, now and when they were fewest within a day."""
    sites, _ = await SiteStore().page(db, MOST_SITES, 0)
    dead = await LinkStore().dead_by_site(db, [site.site_id for site in sites])
    levels = {f"dead_links:{site.site_id}": dead.get(site.site_id, 0) for site in sites}
    least = await AlertStore().least_levels(db, levels, DAY)
    found = [
        SiteDeadLinks(site.site_id, site.name, dead.get(site.site_id, 0), least[f"dead_links:{site.site_id}"])
        for site in sites
    ]
    return found, levels
