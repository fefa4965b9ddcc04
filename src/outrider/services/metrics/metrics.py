"""The use case of `/metrics`: every figure of the crawl that Prometheus may see."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import asyncpg

from outrider.alerts.model import AlertKind
from outrider.alerts.store import AlertStore
from outrider.backup.policy import BackupHistory
from outrider.backup.task import read_history
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.dead_reason import DeadReason
from outrider.jobs.distribution import Distribution, distribution
from outrider.jobs.store import JobStore
from outrider.links.evidence import Verdict
from outrider.metrics_history.figures import CrawlFigures, read_crawl_figures, status_class
from outrider.metrics_history.series import SeriesMetric, bounded
from outrider.metrics_history.store import HistoryStore
from outrider.redirects.broken_store import BrokenStore
from outrider.services.metrics import catalogue as names
from outrider.services.metrics.catalogue import Metric
from outrider.services.sites.content_links import count_dead_links

_SUCCEEDED = ("2xx", "3xx")


@dataclass(frozen=True, slots=True)
class MetricValues:
    """The values of one metric, by its label; the label of a metric without one is empty.

    A metric with two labels has a value for each pair of them.
    """

    metric: Metric
    values: Mapping[str, float] | Mapping[tuple[str, str], float] = field(default_factory=dict)


async def read_metrics(db: asyncpg.Connection) -> list[MetricValues]:
    """The figures of the crawl and of the scheduler at this moment."""
    async with db.transaction(isolation="repeatable_read", readonly=True):
        figures = await read_crawl_figures(db)
        recent = await HistoryStore().recent_growth(db, SeriesMetric.STATUS)
        failed = await HistoryStore().recent_growth(db, SeriesMetric.FAILURES)
        spread = distribution(await JobStore().slot_entries(db), figures.at)
        backups = await read_history(db)
        sites, dead_links = await BrokenStore().totals(db), await count_dead_links(db)
        alerts = await AlertStore().open_by_kind(db)
    return [
        *_crawl(figures),
        *_more(figures),
        *_sites(figures, sites, dead_links),
        *_backups(backups, figures.at),
        *_scheduler(figures, spread),
        success(recent, failed),
        _alerts(alerts),
    ]


def success(by_class: Mapping[str, float], failed: Mapping[str, float]) -> MetricValues:
    """The share of requests that succeeded; no value if there were none."""
    total = sum(by_class.values()) + sum(failed.values())
    share = {"": sum(by_class.get(each, 0.0) for each in _SUCCEEDED) / total} if total else {}
    return MetricValues(names.SUCCESS_RATE, share)


def _crawl(figures: CrawlFigures) -> Iterator[MetricValues]:
    dead = figures.group(CounterPrefix.DEAD)
    yield _one(names.PAGES_FETCHED, figures.count(CounterName.PAGES))
    yield _one(names.PAGES_PER_SECOND, figures.workers.pages_per_s)
    yield MetricValues(names.HTTP_STATUS, _statuses(figures))
    yield MetricValues(names.FRONTIER_SIZE, figures.states)
    yield _one(names.ROBOTS_DENIALS, dead.get(DeadReason.ROBOTS_BLOCKED, 0))
    yield _one(names.ACTIVE_WORKERS, figures.workers.live)


def _more(figures: CrawlFigures) -> Iterator[MetricValues]:
    dead = figures.group(CounterPrefix.DEAD)
    circles = dead.get(DeadReason.TOO_MANY_REDIRECTS, 0) + dead.get(DeadReason.REDIRECT_LOOP, 0)
    copies = {
        "same": figures.count(CounterName.DUPLICATES),
        "near": figures.count(CounterName.NEAR_DUPLICATES),
    }
    yield _one(names.BYTES, figures.count(CounterName.BYTES))
    yield _one(names.REQUESTS, figures.count(CounterName.REQUESTS))
    yield MetricValues(names.FAILURES, bounded(figures.group(CounterPrefix.FAILURE)))
    yield _one(names.CLAIM_SECONDS, figures.workers.mean_claim_s)
    yield MetricValues(names.HOSTS_WAITING, figures.hosts)
    yield _one(names.HOSTS_THROTTLED, figures.hosts.get("throttled", 0))
    yield MetricValues(names.RETRIES, bounded(figures.group(CounterPrefix.RETRY)))
    yield MetricValues(names.DEAD, bounded(dead))
    yield _one(names.REDIRECTS, figures.count(CounterName.REDIRECTS))
    yield _one(names.TOO_MANY_REDIRECTS, circles)
    yield MetricValues(names.DUPLICATES, copies)
    yield MetricValues(names.POLLS, bounded(figures.group(CounterPrefix.POLLS)))
    yield _one(names.QUEUE_AGE, figures.queue_age_s)
    yield MetricValues(names.BREAKERS, {"open": 0, "half_open": 0} | dict(figures.breakers))
    yield _one(names.INDEX_FAILURES, figures.workers.index_failures)
    yield _one(names.ARCHIVE_QUEUE, figures.logs_to_archive)


def _sites(figures: CrawlFigures, counts: Mapping[str, int], dead_links: int) -> Iterator[MetricValues]:
    checks = dict.fromkeys(Verdict, 0) | figures.group(CounterPrefix.LINK_CHECKS)
    yield _one(names.REDIRECT_HITS, counts.get("redirect_hits", 0))
    yield _one(names.BROKEN_URLS, counts.get("broken_urls_recorded", 0))
    yield _one(names.BROKEN_RESOLVED, counts.get("broken_urls_resolved", 0))
    yield MetricValues(names.LINK_CHECKS, {str(name): value for name, value in checks.items()})
    yield _one(names.DEAD_LINKS, dead_links)


def _backups(history: BackupHistory, now: datetime) -> Iterator[MetricValues]:
    """No value says that there is no backup."""
    good, is_known = history.good_at, history.good_at is not None or history.failed_at is not None
    yield MetricValues(names.BACKUP_AGE, {} if good is None else {"": (now - good).total_seconds()})
    yield MetricValues(names.BACKUP_BYTES, {} if good is None else {"": history.good_bytes or 0})
    yield MetricValues(names.BACKUP_VERIFIED, {"": float(history.failed_at is None)} if is_known else {})


def _scheduler(figures: CrawlFigures, spread: Distribution) -> Iterator[MetricValues]:
    yield _one(names.SCHEDULERS, figures.schedulers)
    yield MetricValues(names.JOBS, figures.jobs)
    yield _one(names.DISTRIBUTION_SCORE, spread.distribution_score)
    yield MetricValues(
        names.JOBS_PER_HOUR, {f"{hour:02}": runs for hour, runs in enumerate(spread.hourly_counts)}
    )
    yield MetricValues(names.PLACEMENTS, figures.placements)
    yield MetricValues(names.REBALANCED, figures.rebalanced)
    yield _one(names.LOCK_CONTENTION, figures.lost_races)
    yield _one(names.STALE_RECOVERIES, figures.stale_recoveries)


def _alerts(found: Mapping[tuple[str, str], int]) -> MetricValues:
    """The open alerts of every kind, also of those without one: a rule can compare 0 with 1."""
    known = {(kind.value, kind.severity.value): 0.0 for kind in AlertKind}
    return MetricValues(names.ALERTS, known | {each: found.get(each, 0) for each in known})


def _statuses(figures: CrawlFigures) -> dict[str, float]:
    """Answers by status. What is no HTTP status counts as `other`, so there are at most 401 labels."""
    found: dict[str, float] = {}
    for status, value in figures.group(CounterPrefix.STATUS).items():
        label = "other" if status_class(status) == "other" else status
        found[label] = found.get(label, 0) + value
    return bounded(found, 100)


def _one(metric: Metric, value: float) -> MetricValues:
    return MetricValues(metric, {"": value})
