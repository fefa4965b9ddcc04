"""The table of jobs: every method runs named queries, and takes and returns model objects."""

from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import Conflict
from outrider.jobs.model import Every, Job, JobStatus, PausedBy, Unit
from outrider.jobs.schedule import JobPlan
from outrider.jobs.states import transition

LONGEST_MESSAGE = 500


@dataclass(frozen=True, slots=True)
class Due:
    """A claimed job, the public id of its source, and when the job was due."""

    job: Job
    source_id: UUID
    every: Every
    due_at: datetime
    now: datetime


@dataclass(frozen=True, slots=True)
class JobLine:
    """A job and its source, as a row of a list."""

    job: Job
    source_name: str
    source_url: str


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs to list. None and an empty search match every job."""

    status: JobStatus | None = None
    search: str = ""
    source_id: int | None = None
    limit: int = 50
    offset: int = 0

    @property
    def is_narrow(self) -> bool:
        """Whether it filters by more than limit and offset."""
        return self != JobFilter(limit=self.limit, offset=self.offset)


class JobStore:
    """Jobs. A change either holds the lock of the row or raises Conflict after a concurrent change."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.jobs")

    async def of_source(self, db: asyncpg.Connection, source_id: UUID) -> Job | None:
        """The managed job of a source, by the public id of the source. Locks the row."""
        row = await db.fetchrow(self._sql.job_of_source, source_id)
        return None if row is None else _job(row)

    async def looking_after(self, db: asyncpg.Connection, source_id: int) -> Job | None:
        """The managed job of a source, by the number of the source, without a lock."""
        lines, _ = await self.page(db, JobFilter(source_id=source_id))
        return next((line.job for line in lines if line.job.auto_managed), None)

    async def create(
        self, db: asyncpg.Connection, source_id: int, plan: JobPlan, first_after: timedelta
    ) -> None:
        """Create the managed job of a source that has none."""
        status = transition(JobStatus.PENDING, JobStatus.SCHEDULED)
        timing = (plan.every.count, plan.every.unit.value, plan.priority, first_after.total_seconds())
        await db.execute(self._sql.create_job, source_id, status.value, *timing)

    async def reschedule(self, db: asyncpg.Connection, job: Job, plan: JobPlan) -> None:
        """Change the interval and the priority to those of `plan`. The state stays."""
        timing = (plan.every.count, plan.every.unit.value, plan.priority, plan.every.length.total_seconds())
        await db.execute(self._sql.reschedule_job, job.job_id, *timing)

    async def pause(self, db: asyncpg.Connection, job: Job, by: PausedBy) -> Job:
        """Raises Conflict if the state of the job does not allow a pause (JOB-05)."""
        to = transition(job.status, JobStatus.PAUSED)
        row = await db.fetchrow(self._sql.pause_job, job.job_id, to.value, job.status.value, by.value)
        return _unless_changed(row)

    async def leave_to_source(self, db: asyncpg.Connection, job: Job) -> None:
        """Change a pause by an operator to a pause by the source."""
        await db.execute(self._sql.leave_to_source, job.job_id)

    async def resume(self, db: asyncpg.Connection, job: Job, plan: JobPlan, after: timedelta) -> Job:
        """Raises Conflict if the job is not paused (JOB-05)."""
        if job.status is not JobStatus.PAUSED:
            raise Conflict(f"the job is {job.status.value}: only a paused one can be resumed")
        to = transition(job.status, JobStatus.SCHEDULED)
        timing = (plan.every.count, plan.every.unit.value, plan.priority, after.total_seconds())
        row = await db.fetchrow(self._sql.resume_job, job.job_id, to.value, job.status.value, *timing)
        return _unless_changed(row)

    async def remove(self, db: asyncpg.Connection, job: Job) -> None:
        await db.execute(self._sql.remove_job, job.job_id)

    async def due(self, db: asyncpg.Connection, most: int) -> list[int]:
        """The numbers of due jobs, the most urgent first."""
        return [row["job_id"] for row in await db.fetch(self._sql.due_jobs, most)]

    async def take_due(self, db: asyncpg.Connection, job_id: int) -> Due | None:
        """Claim a due job for this transaction; None if another worker has claimed or run it."""
        was = JobStatus.SCHEDULED
        row = await db.fetchrow(
            self._sql.take_due_job, job_id, transition(was, JobStatus.RUNNING).value, was.value
        )
        if row is None:
            return None
        return Due(_job(row), row["source_public_id"], _every(row), row["next_run_at"], row["now"])

    async def succeeded(self, db: asyncpg.Connection, job: Job, next_run_at: datetime) -> None:
        to = transition(job.status, JobStatus.SCHEDULED)
        await db.execute(self._sql.run_succeeded, job.job_id, to.value, next_run_at)

    async def failed(self, db: asyncpg.Connection, job: Job, next_run_at: datetime, why: str) -> None:
        to = transition(job.status, JobStatus.SCHEDULED)
        await db.execute(self._sql.run_failed, job.job_id, to.value, next_run_at, why[:LONGEST_MESSAGE])

    async def page(self, db: asyncpg.Connection, wanted: JobFilter) -> tuple[list[JobLine], int]:
        """A page of the list, the next to run first, and the total number of jobs."""
        status = wanted.status.value if wanted.status else None
        narrowed = (status, wanted.search, wanted.source_id, wanted.limit, wanted.offset)
        rows = await db.fetch(self._sql.list_jobs, *narrowed)
        lines = [JobLine(_job(row), row["source_name"], row["source_url"]) for row in rows]
        return lines, rows[0]["total"] if rows else 0


def _job(row: Any) -> Job:
    values = {each.name: row[each.name] for each in fields(Job) if each.name != "every"}
    values |= {
        "status": JobStatus(row["status"]),
        "paused_by": PausedBy(by) if (by := row["paused_by"]) else None,
    }
    return Job(**values, every=None if row["interval_count"] is None else _every(row))


def _every(row: Any) -> Every:
    return Every(row["interval_count"], Unit(row["interval_type"]))


def _unless_changed(row: Any) -> Job:
    if row is None:
        raise Conflict("the job was changed at the same time: look at it and try again")
    return _job(row)
