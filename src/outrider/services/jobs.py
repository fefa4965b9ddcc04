"""Use cases of jobs: list them, show one, pause and resume it."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import asyncpg

from outrider.jobs.model import Job, JobStatus, PausedBy, Unit
from outrider.jobs.operate import job_of, pause, resume
from outrider.jobs.store import JobFilter, JobStore
from outrider.services.as_json import NOT_IN_JSON
from outrider.services.paging import ListPage, PageRequest
from outrider.sources.store import SourceStore


@dataclass(frozen=True, slots=True)
class JobDetails:
    """A job with its source, by the names of the view `jobs`: interval_minutes counts interval_type."""

    id: UUID
    source_name: str
    source_id: int
    status: JobStatus
    priority: int
    auto_managed: bool
    next_run_at: datetime | None
    paused_at: datetime | None
    paused_by: PausedBy | None
    started_at: datetime | None
    completed_at: datetime | None
    runs: int
    failure_count: int
    last_failure_at: datetime | None
    backoff_until: datetime | None
    error_message: str | None
    created_at: datetime
    updated_at: datetime
    interval_minutes: int | None
    interval_type: Unit | None
    job: Job = field(metadata=NOT_IN_JSON)


async def list_jobs(db: asyncpg.Connection, wanted: JobFilter, page: PageRequest) -> ListPage[JobDetails]:
    """The jobs that match `wanted`, the next to run first."""
    page = page.checked()
    wanted = replace(wanted, limit=page.limit, offset=page.offset)
    async with db.transaction():
        found, total = await JobStore().page(db, wanted)
    return ListPage(
        [details_of(line.job, line.source_name) for line in found], total, page.limit, page.offset
    )


async def show_job(db: asyncpg.Connection, source: str) -> JobDetails:
    """The job of the source that `source` names; raises NotFound."""
    async with db.transaction():
        watched = await SourceStore().find(db, source)
        return details_of(await job_of(db, watched), watched.name)


async def pause_job(db: asyncpg.Connection, source: str) -> JobDetails:
    """Pause the job of a source until it is resumed; raises NotFound, and Conflict for its state."""
    async with db.transaction():
        watched = await SourceStore().find(db, source)
        return details_of(await pause(db, watched), watched.name)


async def resume_job(db: asyncpg.Connection, source: str) -> JobDetails:
    """Run a paused job again; raises NotFound, and Conflict for its state or a disabled source."""
    async with db.transaction():
        watched = await SourceStore().find(db, source)
        return details_of(await resume(db, watched), watched.name)


def details_of(job: Job, source_name: str) -> JobDetails:
    """A job in the form for display."""
    return JobDetails(
        id=job.public_id,
        source_name=source_name,
        source_id=job.source_id,
        status=job.status,
        priority=job.priority,
        auto_managed=job.auto_managed,
        next_run_at=job.next_run_at,
        paused_at=job.paused_at,
        paused_by=job.paused_by,
        started_at=job.started_at,
        completed_at=job.completed_at,
        runs=job.runs,
        failure_count=job.failure_count,
        last_failure_at=job.last_failure_at,
        backoff_until=job.backoff_until,
        error_message=job.error_message,
        created_at=job.created_at,
        updated_at=job.updated_at,
        interval_minutes=None if job.every is None else job.every.count,
        interval_type=None if job.every is None else job.every.unit,
        job=job,
    )
