"""What needs a person: one function for each kind of alert, over the figures of a moment. Pure.

A new rule is a function here, its name in `RULES`, and its kind in `model.py`. It returns the conditions that
hold at `now`, the most important subject first. `holds` says how long a condition must hold.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise

from outrider.alerts.figures import Figures, Point, Points
from outrider.alerts.model import AlertKind, AlertSubject, Condition, SubjectKind
from outrider.alerts.options import AlertOptions
from outrider.backup.policy import is_overdue

Rule = Callable[[Figures, AlertOptions, datetime], Iterator[Condition]]

OLDEST_SAMPLE = timedelta(minutes=3)  # with an older one nothing is known about this moment
LONGEST_GAP = timedelta(seconds=90)  # between two samples of neighbouring minutes
BACKUP_FOR_S = 1_200.0  # longer than the pause before a failed one is tried again
UNEVEN_FOR_S = 600.0  # a rebalance or many new jobs may disturb the score for a while
_ERRORS = ("4xx", "5xx")


def no_workers(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """Work waits and no worker sends heartbeats (OBS-07)."""
    if figures.due_hosts and not figures.live_workers:
        yield Condition(AlertKind.NO_WORKERS, {"hosts": figures.due_hosts})


def http_errors(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """Too many of the answers of the last minutes are 4xx or 5xx (OBS-07)."""
    grown = {
        status: _growth(points, timedelta(seconds=options.error_window_s), now)
        for status, points in figures.answers.items()
    }
    total = sum(grown.values())
    errors = sum(grown.get(status, 0.0) for status in _ERRORS)
    if total >= options.least_answers and errors > options.error_share * total:
        yield Condition(
            AlertKind.HTTP_ERRORS,
            {"share": round(errors / total, 3), "answers": int(total), "seconds": options.error_window_s},
        )


def frontier_growth(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """The queue has grown too fast in each of the last minutes (OBS-07)."""
    latest = figures.queued[-options.growth_minutes - 1 :]
    if len(latest) <= options.growth_minutes or not _is_recent(latest[-1], now):
        return
    if latest[0].value >= options.growth_size and all(
        _has_grown(*step, options.growth) for step in pairwise(latest)
    ):
        yield Condition(
            AlertKind.FRONTIER_GROWTH,
            {"from": latest[0].value, "to": latest[-1].value, "minutes": options.growth_minutes},
        )


def feed_errors(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """A feed or sitemap of a source keeps failing (OBS-08)."""
    for each in figures.failing_sources:
        if each.errors >= options.feed_errors:
            subject = AlertSubject(SubjectKind.SOURCE, str(each.public_id), each.name)
            yield Condition(
                AlertKind.FEED_ERRORS, {"errors": each.errors, "channels": each.channels}, subject
            )


def job_failures(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """Too few of the latest runs of jobs succeeded (OBS-08)."""
    runs = figures.runs_completed + figures.runs_failed
    if runs >= options.least_runs and figures.runs_completed < options.success_rate * runs:
        yield Condition(AlertKind.JOB_FAILURES, {"runs": runs, "failed": figures.runs_failed})


def stale_locks(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """Runs were taken over from dead schedulers again and again (OBS-08)."""
    if figures.stale_locks >= options.stale_locks:
        yield Condition(AlertKind.STALE_LOCKS, {"locks": figures.stale_locks})


def uneven_schedule(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """Many runs are planned, and they are spread unevenly (OBS-08)."""
    if figures.planned_runs >= options.least_planned and figures.distribution_score < options.distribution:
        yield Condition(
            AlertKind.UNEVEN_SCHEDULE,
            {"score": round(figures.distribution_score, 3), "runs": figures.planned_runs},
        )


def dead_links(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """An owned site has more dead links than a day ago (OBS-08)."""
    for site in sorted(figures.sites, key=lambda each: (each.least - each.dead, each.site_id)):
        if site.dead - site.least >= options.dead_links:
            subject = AlertSubject(SubjectKind.SITE, str(site.site_id), site.name)
            yield Condition(
                AlertKind.DEAD_LINKS, {"dead": site.dead, "risen": site.dead - site.least}, subject
            )


def backup(figures: Figures, options: AlertOptions, now: datetime) -> Iterator[Condition]:
    """The last backup failed or could not be verified, or daily ones are missing (OBS-08)."""
    history = figures.backups
    if history is None:
        return
    if history.failed_at is not None:
        yield Condition(AlertKind.BACKUP, {"failed": 1})
    elif figures.is_backed_up_daily and is_overdue(history, now):
        days = (now - (history.good_at or history.installed_at)).days
        yield Condition(AlertKind.BACKUP, {"days": days, "backups": int(history.good_at is not None)})


RULES: tuple[Rule, ...] = (
    no_workers,
    http_errors,
    frontier_growth,
    feed_errors,
    job_failures,
    stale_locks,
    uneven_schedule,
    dead_links,
    backup,
)


def conditions_of(figures: Figures, options: AlertOptions, now: datetime) -> list[Condition]:
    """Everything that holds at `now`."""
    return [condition for rule in RULES for condition in rule(figures, options, now)]


def holds(options: AlertOptions) -> Mapping[AlertKind, float]:
    """For how many seconds a condition must hold. The figures of the other kinds cover a time."""
    return {
        AlertKind.NO_WORKERS: options.silence_s,
        AlertKind.UNEVEN_SCHEDULE: UNEVEN_FOR_S,
        AlertKind.BACKUP: BACKUP_FOR_S,
    }


def _growth(points: Points, window: timedelta, now: datetime) -> float:
    """By how much a count grew over the whole window; 0 if the samples do not cover it."""
    if not points or not _is_recent(points[-1], now):
        return 0.0
    begun = [point for point in points if point.at <= points[-1].at - window]
    return max(points[-1].value - begun[-1].value, 0.0) if begun else 0.0


def _is_recent(point: Point, now: datetime) -> bool:
    return now - point.at <= OLDEST_SAMPLE


def _has_grown(before: Point, after: Point, share: float) -> bool:
    return after.at - before.at <= LONGEST_GAP and after.value > before.value * (1 + share)
