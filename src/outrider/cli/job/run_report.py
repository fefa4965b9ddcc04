"""Print the runs of a job and its figures."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from outrider.cli.output import plain, show, table
from outrider.cli.show.facts import facts
from outrider.jobs.job_stats import JobStats
from outrider.runs.model import RunStatus
from outrider.services.jobs.runs import JobRun
from outrider.services.paging import ListPage
from outrider.wording import brief, count, plural, span

if TYPE_CHECKING:
    from rich.table import Table

_COLUMNS = ("", "run", "started", "took", "pages", "new", "started by", "result")


def show_history(found: ListPage[JobRun]) -> None:
    if not found.items:
        show(plain("The job has not run yet." if found.total == 0 else "There are no older runs."))
        return
    show(run_table(found.items, datetime.now(UTC)))
    shown = len(found.items)
    if found.total > shown:
        show(plain(f"{count(shown)} of {plural(found.total, 'run')}; --limit and --offset show more."))


def show_stats(stats: JobStats) -> None:
    show(facts(stats_facts(stats)))


def stats_facts(stats: JobStats) -> Iterator[tuple[str, object]]:
    """The figures of a job over the runs that are kept."""
    if not stats.total_executions:
        yield "history", "no runs yet"
        return
    ended = [
        f"{count(number)} {word}"
        for word, number in (
            ("succeeded", stats.successful_runs),
            ("failed", stats.failed_runs),
            (RunStatus.CANCELLED.value, stats.cancelled_runs),
        )
        if number
    ]
    yield "history", ", ".join([plural(stats.total_executions, "run"), *ended])
    if stats.success_rate is not None:
        yield "success rate", f"{stats.success_rate:.0%}"
    if stats.average_duration is not None:
        yield "duration", f"{span(stats.average_duration.total_seconds())} on average"


def run_table(runs: Sequence[JobRun], now: datetime) -> "Table":
    """Runs, each with its number and what came of it."""
    rows = (_row(each, now) for each in runs)
    return table(_COLUMNS, rows, right=("", "run", "pages", "new"), whole=("started", "took", "started by"))


def _row(run: JobRun, now: datetime) -> tuple[object, ...]:
    result = "stopping" if run.is_cancelling else run.status.value
    return (
        f"#{run.execution_number}",
        run.number,
        f"{brief(max((now - run.started_at).total_seconds(), 0))} ago",
        "" if run.duration_ms is None else span(run.duration_ms / 1000),
        count(run.items_crawled),
        count(run.items_indexed),
        f"retry {run.retry_attempt}" if run.retry_attempt else run.started_by.value,
        result if run.error_message is None else f"{result}: {run.error_message}",
    )
