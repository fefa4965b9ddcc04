"""Print the state of schedulers, the distribution of jobs, and a rebalance."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

from outrider.cli.job.report import figure_facts
from outrider.cli.output import plain, say, show, table
from outrider.cli.show.facts import facts
from outrider.jobs.rebalance import Fixed
from outrider.jobs.schedulers import SchedulerLine
from outrider.services.jobs.scheduler import (
    BALANCING_IS_OFF,
    DistributionReport,
    RebalanceReport,
    SchedulerStatus,
)
from outrider.wording import bar, brief, count, plural, when

_COLUMNS = ("machine", "process", "started", "last sign", "runs", "taken over", "state")
_MOVES = ("job", "from", "to")
_BAR_WIDTH = 40
_MOVES_SHOWN = 20
_WHY_KEPT = {
    Fixed.JOB_RUNNING: "running or about to run",
    Fixed.PROTECTION_WINDOW: "due within 30 minutes",
    Fixed.PLACEMENT_COOLDOWN: "placed within the last hour",
    Fixed.ONE_TIME_JOB: "to be run once",
}


def show_status(found: SchedulerStatus) -> None:
    now = datetime.now(UTC)
    if not found.alive:
        show(plain("No scheduler runs: `outrider watch` or `outrider scheduler` starts one."))
    if found.schedulers:
        rows = (_row(each, now) for each in found.schedulers)
        show(table(_COLUMNS, rows, right=("process", "runs", "taken over"), whole=("started", "last sign")))
    show(facts(_facts(found, now)))
    for warning in found.warnings:
        say(f"WARNING: {warning}")


def show_distribution_report(found: DistributionReport) -> None:
    """A bar for each hour of the day, and what it means."""
    spread = found.distribution
    if not found.load_balancing:
        show(plain(f"{BALANCING_IS_OFF[0].upper()}{BALANCING_IS_OFF[1:]}."))
    top = max(spread.max_per_hour, 1)
    for hour, number in enumerate(spread.hourly_counts):
        line = f"{hour:02}:00  {bar(number / top, _BAR_WIDTH):<{_BAR_WIDTH}}  {count(number)}"
        show(plain(line if number else line.rstrip()))
    show(plain(""))
    show(facts(_spread_facts(found)))


def show_rebalance(found: RebalanceReport) -> None:
    rows = ((each.job_id, _at(each.from_time), _at(each.to_time)) for each in found.moves[:_MOVES_SHOWN])
    if found.moves:
        show(table(_MOVES, rows, right=("job",), whole=("from", "to")))
        if found.total_moves > _MOVES_SHOWN:
            show(plain(f"{count(found.total_moves - _MOVES_SHOWN)} more; --json has all of them."))
    done = "would be moved" if found.dry_run else "moved"
    score = f"score {found.before_score:.2f} → {found.after_score:.2f}"
    show(
        plain(
            f"{plural(found.total_moves, 'job')} {done}: {score}."
            if found.moves
            else f"No job {done}: {score}."
        )
    )
    for reason, number in Counter(each.reason for each in found.skipped).most_common():
        show(plain(f"{plural(number, 'job')} left alone: {_WHY_KEPT[reason]}."))


def _row(line: SchedulerLine, now: datetime) -> tuple[object, ...]:
    return (
        line.machine,
        line.pid,
        _ago(line.started_at, now),
        _ago(line.beat_at, now),
        count(line.runs),
        count(line.stale_locks_cleared),
        "alive" if line.is_alive else "silent" if line.stopped_at is None else "stopped",
    )


def _facts(found: SchedulerStatus, now: datetime) -> Iterator[tuple[str, object]]:
    yield from figure_facts(found.figures)
    yield "distribution", f"score {found.distribution_score:.2f}"
    yield "taken over", f"{plural(found.stale_locks_cleared, 'run')} within a day"
    if found.last_check_at:
        yield "last check", when(found.last_check_at, now)
    if not found.enabled:
        yield "note", "OUTRIDER_SCHEDULER is false: `outrider watch` runs no jobs, only `outrider scheduler`"


def _spread_facts(found: DistributionReport) -> Iterator[tuple[str, object]]:
    spread = found.distribution
    yield "jobs", count(spread.total_jobs)
    yield (
        "an hour",
        f"{spread.average_per_hour:.1f} on average, {spread.min_per_hour} to {spread.max_per_hour}",
    )
    if spread.peak_count:
        yield "peak", f"{plural(spread.peak_count, 'run')} from {spread.peak_hour:02}:00 UTC"
    yield "score", f"{spread.distribution_score:.2f} of 1.00 (slots of {spread.slot_minutes} minutes)"


def _ago(at: datetime, now: datetime) -> str:
    return f"{brief(max((now - at).total_seconds(), 0))} ago"


def _at(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"
