"""Use cases of jobs: list them, show one, add one. `job_changes.py` changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Self
from uuid import UUID

import asyncpg

from outrider.errors import InvalidInput, NotFound
from outrider.jobs.adaptive import AdaptiveState, interval_after, reason
from outrider.jobs.filter import JobFilter
from outrider.jobs.job_stats import JobStats
from outrider.jobs.model import MAX_RETRIES, RETRY_BACKOFF_S, Interval, Job, JobStatus
from outrider.jobs.operate import add, job_of
from outrider.jobs.options import JobOptions
from outrider.jobs.placing import SlotChooser
from outrider.jobs.reconcile import ReconcileCounts, reconcile
from outrider.jobs.store import JobLine, JobStore
from outrider.services.as_json import as_json
from outrider.services.from_json import fields_from_json, from_json
from outrider.services.jobs.runs import JobRun, recent_runs
from outrider.services.paging import ListPage, PageRequest, refuse_unknown
from outrider.sources.store import SourceStore

MOST_JOBS = 250  # in one list (JOB-20)
HIGHEST_PRIORITY = 100
MOST_RETRIES = 100
LARGEST_NUMBER = 2**31 - 1

_NOT_SHOWN = ("job_id", "public_id", "every")  # under other names


@dataclass(frozen=True, slots=True)
class JobDetails:
    """A job with its source, and what is known about the changes of the source."""

    source_name: str
    job: Job
    source_url: str = ""
    labels: Sequence[str] = ()
    adaptive: AdaptiveState | None = None
    source_enabled: bool = True

    @property
    def interval_in_force(self) -> timedelta | None:
        """The time between two runs at present; longer than the interval if the source does not change."""
        job = self.job
        if job.every is None or self.adaptive is None or not job.adaptive_scheduling:
            return job.interval
        return interval_after(self.adaptive.unchanged_count, job.every.length)

    @property
    def adaptive_reason(self) -> str | None:
        """Why the interval is what it is (ADP-10); None if it is fixed."""
        job = self.job
        return reason(self.adaptive, job.every.length) if job.every and job.adaptive_scheduling else None

    def json_form(self) -> dict[str, Any]:
        """The names of the view `jobs`: interval_minutes counts interval_type."""
        stored, every = as_json(self.job), self.job.every
        return {
            "id": self.job.public_id,
            "number": self.job.job_id,
            "source_name": self.source_name,
            **{name: value for name, value in stored.items() if name not in _NOT_SHOWN},
            "url": self.source_url,
            "labels": self.labels,
            "is_paused": self.job.is_paused,
            "schedule_enabled": self.job.is_recurring,
            "current_interval_s": self.interval_in_force,
            "unchanged_count": 0 if self.adaptive is None else self.adaptive.unchanged_count,
            "adaptive_reason": self.adaptive_reason,
            "adaptive": self.adaptive,
            "source_enabled": self.source_enabled,
            "interval_minutes": None if every is None else every.count,
            "interval_type": None if every is None else every.unit,
        }

    @classmethod
    def from_json_form(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `json_form`."""
        count, unit = value["interval_minutes"], value["interval_type"]
        every = None if count is None else {"count": count, "unit": unit}
        job = {**value, "job_id": value["number"], "public_id": value["id"], "every": every}
        return cls(
            value["source_name"],
            fields_from_json(Job, job),
            value["url"],
            list(value["labels"]),
            None if value["adaptive"] is None else from_json(AdaptiveState, value["adaptive"]),
            value.get("source_enabled", True),  # servers of earlier versions do not send it
        )


@dataclass(frozen=True, slots=True)
class JobReport:
    """Everything about one job: its details, its figures and its last runs."""

    details: JobDetails
    stats: JobStats
    last_runs: Sequence[JobRun]

    def json_form(self) -> dict[str, Any]:
        """The details, and beside them the figures and the runs."""
        return self.details.json_form() | {"stats": self.stats, "last_runs": self.last_runs}


@dataclass(frozen=True, slots=True)
class JobRequest:
    """A job to add. Without an interval it runs once, now (JOB-06)."""

    source: str  # name, number or address
    every: Interval | None = None
    priority: int | None = None  # None: that of the source
    adaptive: bool = True
    max_retries: int = MAX_RETRIES
    retry_backoff_seconds: int = RETRY_BACKOFF_S
    metadata: Mapping[str, Any] = field(default_factory=dict)


def read_statuses(text: str) -> tuple[JobStatus, ...]:
    """States from a list with commas; raises InvalidInput for an unknown one."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    refuse_unknown("status", names, [each.value for each in JobStatus])
    return tuple(JobStatus(name) for name in names)


async def list_jobs(
    db: asyncpg.Connection, wanted: JobFilter, page: PageRequest, source: str = ""
) -> ListPage[JobDetails]:
    """The jobs that match `wanted`, of one source if `source` names it (JOB-20)."""
    page = page.checked(MOST_JOBS)
    async with db.transaction():
        source_id = (await SourceStore().find(db, source)).source_id if source else wanted.source_id
        wanted = replace(wanted, source_id=source_id, limit=page.limit, offset=page.offset)
        found, total = await JobStore().page(db, wanted)
    return ListPage([details_of(line) for line in found], total, page.limit, page.offset)


async def list_named_job(db: asyncpg.Connection, named: str, page: PageRequest) -> ListPage[JobDetails]:
    """The one job of that name, as a list; raises NotFound."""
    return ListPage([await read_job(db, named)], 1, page.limit, 0)


async def read_job(db: asyncpg.Connection, named: str) -> JobDetails:
    """One job; raises NotFound."""
    return details_of(await find_job(db, named))


async def show_job(db: asyncpg.Connection, named: str) -> JobReport:
    """A job with its figures and its last runs; raises NotFound."""
    async with db.transaction():
        line = await find_job(db, named)
        stats, runs = await recent_runs(db, line.job)
    return JobReport(details_of(line), stats, runs)


async def add_job(db: asyncpg.Connection, request: JobRequest, options: JobOptions) -> JobDetails:
    """Add a job to a source, besides its managed one; raises NotFound, and Conflict if it is disabled."""
    check_priority(request.priority)
    check_retries(request.max_retries)
    async with db.transaction():
        source = await SourceStore().find(db, request.source)
        job = await add(
            db,
            source,
            request.every,
            priority=request.priority,
            adaptive=request.adaptive,
            max_retries=request.max_retries,
            retry_backoff_seconds=request.retry_backoff_seconds,
            metadata=request.metadata,
            slots=SlotChooser(is_balanced=options.balancing),
        )
        return details_of(await _line(db, job.job_id))


async def managed_job(db: asyncpg.Connection, source_id: int) -> JobDetails | None:
    """The job that follows a source; None while the source has none."""
    job = await JobStore().managed_job(db, source_id)
    return None if job is None else details_of(await _line(db, job.job_id))


async def find_job(db: asyncpg.Connection, named: str) -> JobLine:
    """A job by its number, its id, or the name, id or address of its source; raises NotFound.

    A source stands for its managed job. A number is never that of a source: a command that is repeated after
    its job was removed must not meet the job of the source with that number.
    """
    if named.isascii() and named.isdigit():
        number = int(named[:20])
        return await _line(db, number if number <= LARGEST_NUMBER else 0)
    if (public_id := _uuid(named)) is not None:
        job = await JobStore().by_public_id(db, public_id)
        if job is not None:
            return await _line(db, job.job_id)
    try:
        source = await SourceStore().find(db, named)
    except NotFound as error:
        raise NotFound(f"there is no such job: {error}") from None
    return await _line(db, (await job_of(db, source)).job_id)


def details_of(line: JobLine) -> JobDetails:
    """A job in the form for display."""
    return JobDetails(
        line.source_name, line.job, line.source_url, line.labels, line.adaptive, line.source_enabled
    )


def check_priority(priority: int | None) -> None:
    """Raises InvalidInput if it is out of range."""
    if priority is not None and not 0 <= priority <= HIGHEST_PRIORITY:
        raise InvalidInput(f"the priority of a job is a number from 0 to {HIGHEST_PRIORITY}, not {priority}")


def check_retries(most: int | None) -> None:
    """Raises InvalidInput if it is out of range."""
    if most is not None and not 0 <= most <= MOST_RETRIES:
        raise InvalidInput(f"the number of retries is from 0 to {MOST_RETRIES}, not {most}")


async def _line(db: asyncpg.Connection, job_id: int) -> JobLine:
    line = await JobStore().line(db, job_id)
    if line is None:
        raise NotFound("there is no job of that number: `outrider job list` shows them")
    return line


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


async def sync_jobs(db: asyncpg.Connection, *, is_balanced: bool = True) -> ReconcileCounts:
    """Make sure that every enabled source has a running job (SRC-13); each source is a transaction."""
    return await reconcile(db, is_balanced=is_balanced)
