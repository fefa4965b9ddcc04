"""Print jobs, and what commands did to them."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime

from outrider.cli.job.run_report import run_table, stats_facts
from outrider.cli.output import plain, say, show, table
from outrider.cli.show.facts import facts
from outrider.jobs.figures import JobFigures
from outrider.jobs.model import Job, JobStatus, PausedBy
from outrider.services.jobs.changes import JobResults, JobVerb
from outrider.services.jobs.jobs import JobDetails, JobReport
from outrider.services.paging import ListPage
from outrider.wording import brief, count, plural, span, when

_COLUMNS = ("", "source", "every", "next", "runs", "last", "state")
_NO_JOBS = "There are no jobs yet: `outrider watch` creates one for each enabled source."
_NONE_FITS = "No job matches."
_WHY_PAUSED = {PausedBy.SOURCE: "paused: its source is disabled", PausedBy.OPERATOR: "paused by hand"}
_DONE = {
    JobVerb.PAUSE: "paused",
    JobVerb.RESUME: "resumed",
    JobVerb.CANCEL: JobStatus.CANCELLED.value,
    JobVerb.RETRY: "queued to run now, with all retries",
    JobVerb.RUN: "queued to run now",
    JobVerb.EDIT: "changed",
    JobVerb.REMOVE: "removed",
}
_NAMES_SHOWN = 5


def show_jobs(found: ListPage[JobDetails], *, is_narrow: bool) -> None:
    if not found.items:
        show(plain(_NONE_FITS if is_narrow else _NO_JOBS))
        return
    now = datetime.now(UTC)
    rows = (_row(each, now) for each in found.items)
    show(table(_COLUMNS, rows, right=("", "runs"), whole=("every", "next", "last")))
    shown = len(found.items)
    if found.total > shown:
        show(plain(f"{count(shown)} of {plural(found.total, 'job')}; --limit and --offset show more."))


def show_report(found: JobReport) -> None:
    now = datetime.now(UTC)
    show(plain(found.details.source_name, "bold"))
    show(facts([*_facts(found.details, now), *stats_facts(found.stats)]))
    if found.last_runs:
        show(run_table(found.last_runs, now))


def show_changed(found: JobDetails, verb: JobVerb) -> None:
    """One job that was changed."""
    job, now = found.job, datetime.now(UTC)
    sentence = f"Job {job.job_id} of {found.source_name} is {_DONE[verb]}"
    match verb:
        case JobVerb.RESUME:
            sentence += f": next run {until(job, now)}"
        case JobVerb.EDIT:
            sentence += f": {rhythm(found, now)}"
        case JobVerb.CANCEL if job.has_open_execution:
            sentence += "; its run stops when the requests under way are over"
        case JobVerb.REMOVE if job.auto_managed:
            sentence += "; `outrider source sync` makes a new one"
    show(plain(f"{sentence}."))


def show_results(results: JobResults, verb: JobVerb) -> None:
    """Many jobs: the number of changed ones, and why others refused. Equal sentences are one line."""
    done = (
        f"{plural(results.changed, 'job')} would be {_DONE[verb]}"
        if results.dry_run
        else (f"{plural(results.changed, 'job')} {_DONE[verb]}")
    )
    refused = f", {count(results.refused)} refused" if results.refused else ""
    show(plain(f"{done}{refused}."))
    by_sentence = defaultdict(list)
    for each in results.jobs:
        if each.error is not None:
            by_sentence[each.error].append(each.source_name)
    for sentence, names in by_sentence.items():
        more = f" and {count(len(names) - _NAMES_SHOWN)} more" if len(names) > _NAMES_SHOWN else ""
        say(f"{', '.join(names[:_NAMES_SHOWN])}{more}: {sentence}")


def show_figures(figures: JobFigures) -> None:
    show(facts(figure_facts(figures)))


def figure_facts(figures: JobFigures) -> Iterator[tuple[str, object]]:
    """The figures of all jobs."""
    states = ", ".join(f"{count(number)} {status}" for status, number in sorted(figures.jobs.items()))
    yield "jobs", states or "none"
    yield "runs", f"{count(figures.total_executions)} kept, {count(figures.running)} running"
    if figures.success_rate is not None:
        yield "last day", f"{figures.success_rate:.0%} of the runs succeeded"
    if figures.average_duration_s is not None:
        yield "duration", f"{span(figures.average_duration_s)} on average"


def rhythm(found: JobDetails, now: datetime) -> str:
    """The interval and the next run: `every 38 minutes, next in 12m`."""
    job = found.job
    often = "once" if job.every is None else f"every {job.every}"
    if job.next_run_at is None:
        return f"{often}, {state_of(job)}"
    return f"{often}, next {until(job, now)}"


def state_of(job: Job) -> str:
    if job.paused_by is not None:
        return _WHY_PAUSED[job.paused_by]
    if job.status is JobStatus.CANCELLED and job.has_open_execution:
        return "cancelled, its run is stopping"
    if job.status is JobStatus.FAILED:
        return f"failed: {job.error_message}"
    if job.failure_count and job.status is JobStatus.SCHEDULED:
        return f"failed {plural(job.failure_count, 'time')} in a row: {job.error_message}"
    return job.status.value


def until(job: Job, now: datetime | None = None) -> str:
    """When the job runs next: `now`, `in 12m`."""
    now = now or datetime.now(UTC)
    if job.next_run_at is None:
        return ""
    return "now" if job.next_run_at <= now else f"in {brief((job.next_run_at - now).total_seconds())}"


def _row(line: JobDetails, now: datetime) -> tuple[object, ...]:
    job = line.job
    return (
        job.job_id,
        line.source_name,
        job.every or "once",
        until(job, now),
        count(job.runs),
        "" if job.started_at is None else f"{brief(max((now - job.started_at).total_seconds(), 0))} ago",
        state_of(job),
    )


def _facts(found: JobDetails, now: datetime) -> Iterator[tuple[str, object]]:
    job = found.job
    yield "job", f"{job.job_id} ({job.public_id})"
    yield "made", f"{when(job.created_at, now)}{', follows its source' if job.auto_managed else ''}"
    yield "state", state_of(job)
    yield "every", job.every or "once"
    if found.adaptive_reason:
        yield "adaptive", found.adaptive_reason
    if job.next_run_at:
        yield "next", f"{until(job, now)}{', a retry' if job.next_run_at == job.backoff_until else ''}"
    yield "priority", job.priority
    yield "retries", f"{job.current_retry_count} of {job.max_retries} used"
    yield "runs", count(job.runs)
    if job.started_at:
        yield "last run", when(job.started_at, now)
    if job.paused_at:
        yield "paused", when(job.paused_at, now)
    if job.cancelled_at:
        yield JobStatus.CANCELLED.value, when(job.cancelled_at, now)
    if job.last_failure_at:
        yield "last failure", when(job.last_failure_at, now)
