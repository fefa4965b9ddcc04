"""Print jobs."""

from collections.abc import Iterator
from datetime import UTC, datetime

from outrider.cli.output import plain, show, table
from outrider.cli.show.facts import facts
from outrider.jobs.model import Job, JobStatus, PausedBy
from outrider.services.jobs import JobDetails
from outrider.services.paging import ListPage
from outrider.wording import brief, count, plural, when

_COLUMNS = ("source", "every", "next", "runs", "last", "state")
_NO_JOBS = "There are no jobs yet: `outrider watch` creates one for each enabled source."
_NONE_FITS = "No job matches."
_WHY_PAUSED = {PausedBy.SOURCE: "paused: its source is disabled", PausedBy.OPERATOR: "paused by hand"}


def show_jobs(found: ListPage[JobDetails], *, is_narrow: bool) -> None:
    if not found.items:
        show(plain(_NONE_FITS if is_narrow else _NO_JOBS))
        return
    now = datetime.now(UTC)
    rows = (_row(each, now) for each in found.items)
    show(table(_COLUMNS, rows, right=("runs",), whole=("every", "next", "last")))
    shown = len(found.items)
    if found.total > shown:
        show(plain(f"{count(shown)} of {plural(found.total, 'job')}; --limit and --offset show more."))


def show_details(found: JobDetails) -> None:
    show(plain(found.source_name, "bold"))
    show(facts(_facts(found.job, datetime.now(UTC))))


def rhythm(job: Job, now: datetime) -> str:
    """The interval and the next run: `every 38 minutes, next in 12m`."""
    often = "once" if job.every is None else f"every {job.every}"
    if job.next_run_at is None:
        return f"{often}, {state_of(job)}"
    return f"{often}, next {_until(job.next_run_at, now)}"


def state_of(job: Job) -> str:
    if job.paused_by is not None:
        return _WHY_PAUSED[job.paused_by]
    if job.failure_count and job.status is JobStatus.SCHEDULED:
        return f"failed {plural(job.failure_count, 'time')} in a row: {job.error_message}"
    return job.status.value


def _row(line: JobDetails, now: datetime) -> tuple[object, ...]:
    job = line.job
    return (
        line.source_name,
        job.every or "once",
        "" if job.next_run_at is None else _until(job.next_run_at, now),
        count(job.runs),
        "" if job.started_at is None else f"{brief(max((now - job.started_at).total_seconds(), 0))} ago",
        state_of(job),
    )


def _facts(job: Job, now: datetime) -> Iterator[tuple[str, object]]:
    yield "job", str(job.public_id)
    yield "state", state_of(job)
    yield "every", job.every or "once"
    if job.next_run_at:
        yield "next", _until(job.next_run_at, now)
    yield "priority", job.priority
    yield "runs", count(job.runs)
    if job.started_at:
        yield "last run", when(job.started_at, now)
    if job.paused_at:
        yield "paused", when(job.paused_at, now)
    if job.last_failure_at:
        yield "last failure", when(job.last_failure_at, now)
    yield "made", when(job.created_at, now)


def _until(at: datetime, now: datetime) -> str:
    return "now" if at <= now else f"in {brief((at - now).total_seconds())}"
