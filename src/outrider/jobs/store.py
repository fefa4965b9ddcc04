"""The table of jobs: every method runs named queries, and takes and returns model objects."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import NotFound
from outrider.events.log import write_events
from outrider.jobs.adaptive import AdaptiveState
from outrider.jobs.announce import deleted_event, status_event
from outrider.jobs.filter import JobFilter
from outrider.jobs.model import MAX_RETRIES, RETRY_BACKOFF_S, Interval, Job, JobStatus, PausedBy, Unit
from outrider.jobs.slot_entries import Rhythm, SlotEntry
from outrider.jobs.slot_times import DAY_S, SLOT_S, slot_of
from outrider.jobs.transitions import FirstSchedule
from outrider.runs.store import RunStore

if TYPE_CHECKING:
    from outrider.jobs.slots import SlotMap

HAVE_NEXT_RUN = frozenset((JobStatus.PENDING, JobStatus.SCHEDULED, JobStatus.RUNNING))


@dataclass(frozen=True, slots=True)
class LockedJob:
    """A job whose row is locked, and the time of the database (SCH-18)."""

    job: Job
    now: datetime


@dataclass(frozen=True, slots=True)
class JobLine:
    """A job and its source, as a row of a list."""

    job: Job
    source_name: str
    source_url: str
    source_public_id: UUID
    labels: tuple[str, ...] = ()
    adaptive: AdaptiveState | None = None
    source_enabled: bool = True


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to create."""

    source_id: int
    schedule: FirstSchedule
    every: Interval | None = None
    priority: int = 50
    auto_managed: bool = False
    adaptive_scheduling: bool = True
    max_retries: int = MAX_RETRIES
    retry_backoff_seconds: int = RETRY_BACKOFF_S


class JobStore:
    """Jobs. The caller of a change holds the lock of the row: `locked` and `of_source` take it."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.jobs")

    async def of_source(self, db: asyncpg.Connection, source_id: UUID) -> LockedJob | None:
        """The managed job of a source, by the public id of the source. Locks the row."""
        row = await db.fetchrow(self._sql.job_of_source, source_id)
        return None if row is None else LockedJob(_job(row), row["now"])

    async def locked(self, db: asyncpg.Connection, job_id: int) -> LockedJob:
        """A job by its number. Locks the row; raises NotFound."""
        row = await db.fetchrow(self._sql.locked_job, job_id)
        if row is None:
            raise NotFound(f"there is no job {job_id}: `outrider job list` shows them")
        return LockedJob(_job(row), row["now"])

    async def all_locked(self, db: asyncpg.Connection, job_ids: Sequence[int]) -> list[Job]:
        """The jobs of these numbers, in the same order. Their rows must be locked."""
        found = {row["job_id"]: _job(row) for row in await db.fetch(self._sql.jobs_by_number, job_ids)}
        return [found[job_id] for job_id in job_ids]

    async def record_rebalance(self, db: asyncpg.Connection, *, moved: int, skipped: int) -> None:
        """Record that a rebalance was carried out."""
        await db.execute(self._sql.record_rebalance, moved, skipped)

    async def now(self, db: asyncpg.Connection) -> datetime:
        """The time of the database (SCH-18)."""
        now: datetime = await db.fetchval(self._sql.time_of_database)
        return now

    async def by_public_id(self, db: asyncpg.Connection, public_id: UUID) -> Job | None:
        row = await db.fetchrow(self._sql.job_by_public_id, public_id)
        return None if row is None else _job(row)

    async def all_of_source(self, db: asyncpg.Connection, source_id: int) -> list[Job]:
        """The jobs of a source, the managed one first."""
        return [_job(row) for row in await db.fetch(self._sql.jobs_of_source, source_id)]

    async def all_of_removed(self, db: asyncpg.Connection, source_id: UUID) -> list[Job]:
        """All jobs of a source, by its public id. Locks the rows."""
        return [_job(row) for row in await db.fetch(self._sql.jobs_of_removed_source, source_id)]

    async def removed_sources(self, db: asyncpg.Connection) -> list[UUID]:
        """Removed sources that still have jobs without a run."""
        return [row["public_id"] for row in await db.fetch(self._sql.removed_sources_with_jobs)]

    async def managed_job(self, db: asyncpg.Connection, source_id: int) -> Job | None:
        """The managed job of a source, by the number of the source, without a lock."""
        jobs = await self.all_of_source(db, source_id)
        return next((job for job in jobs if job.auto_managed), None)

    async def create(self, db: asyncpg.Connection, new: NewJob) -> Job:
        """Create a job. A source has one managed job at most."""
        row = await db.fetchrow(
            self._sql.create_job,
            new.source_id,
            new.auto_managed,
            new.schedule.status.value,
            *_interval(new.every),
            new.priority,
            new.schedule.next_run_at,
            new.schedule.slot_at,
            new.schedule.placed_at,
            new.adaptive_scheduling,
            new.max_retries,
            new.retry_backoff_seconds,
        )
        job = _job(row)
        await write_events(db, [status_event(job, None)])
        return job

    async def save(self, db: asyncpg.Connection, job: Job) -> Job:
        """Write a job that was changed. The caller holds the lock of its row."""
        (row,) = await db.fetch(self._sql.save_job, *_values(job))
        saved, previous = _job(row), JobStatus(row["previous_status"])
        if saved.status is not previous:
            await write_events(db, [status_event(saved, previous)])
        return saved

    async def save_all(self, db: asyncpg.Connection, jobs: Iterable[Job]) -> None:
        """Write jobs in the same state with other times. The caller holds the locks of their rows."""
        await db.executemany(self._sql.save_job, [_values(job) for job in jobs])

    async def remove(self, db: asyncpg.Connection, job: Job) -> None:
        """Delete a job, its runs and their counters."""
        await RunStore().remove_of_job(db, job.job_id)
        await db.execute(self._sql.remove_job, job.job_id)
        await write_events(db, [deleted_event(job)])

    async def due(self, db: asyncpg.Connection, most: int, *, asked_for: bool = False) -> list[int]:
        """The numbers of due jobs, the most urgent first; only those to be run at once if `asked_for`."""
        return [row["job_id"] for row in await db.fetch(self._sql.due_jobs, most, asked_for)]

    async def lock_due(self, db: asyncpg.Connection, job_id: int, token: UUID) -> LockedJob | None:
        """Lock a due job for a scheduler; None if another scheduler was faster."""
        row = await db.fetchrow(self._sql.lock_due_job, job_id, token)
        return None if row is None else LockedJob(_job(row), row["now"])

    async def slot_entries(self, db: asyncpg.Connection) -> list[SlotEntry]:
        """Every job that has a next run (BAL-13)."""
        return [_slot_entry(row) for row in await db.fetch(self._sql.slot_entries)]

    async def slot_map(self, db: asyncpg.Connection, now: datetime) -> "SlotMap":
        """The slot map of these jobs, which the database counts."""
        from outrider.jobs.slots import SlotMap  # it imports numpy, and most commands place no job

        return SlotMap.of_rhythms(await self.rhythms(db, now), now)

    async def rhythms(self, db: asyncpg.Connection, now: datetime) -> list[Rhythm]:
        """These jobs, counted by the slots that they use."""
        rows = await db.fetch(self._sql.slot_rhythms, slot_of(now) * SLOT_S, SLOT_S, DAY_S)
        return [Rhythm(*row) for row in rows]

    async def slot_entry(self, db: asyncpg.Connection, job: Job) -> SlotEntry | None:
        """How the slot map counts a job, also one that is not written yet; None: it does not count it."""
        at = job.slot_at or job.next_run_at
        if at is None or job.status not in HAVE_NEXT_RUN:
            return None
        interval = job.interval
        if interval is not None and job.adaptive_scheduling:
            known = await self.adaptive_state(db, job.source_id)
            interval = interval if known is None else max(interval, known.current_interval)
        return SlotEntry(job.job_id, interval, at)

    async def locked_slot_entries(self, db: asyncpg.Connection) -> list[SlotEntry]:
        """The same, with the rows of these jobs locked until the transaction ends."""
        await db.execute(self._sql.lock_scheduled_jobs)
        return await self.slot_entries(db)

    async def page(self, db: asyncpg.Connection, wanted: JobFilter) -> tuple[list[JobLine], int]:
        """A page of the list and the total number of jobs. The caller opens the transaction."""
        await db.execute(self._sql.plan_for_these_filters)
        rows = await db.fetch(
            self._sql.list_jobs,
            [each.value for each in wanted.statuses] or None,
            wanted.search,
            wanted.source_id,
            wanted.label,
            wanted.sort.value,
            wanted.descending,
            wanted.limit,
            wanted.offset,
            None if wanted.source_pattern is None else _like(wanted.source_pattern),
        )
        if not rows and wanted.offset:  # beyond the end: the total is that of the first page
            _, total = await self.page(db, replace(wanted, offset=0, limit=1))
            return [], total
        return [_line(row) for row in rows], rows[0]["total"] if rows else 0

    async def line(self, db: asyncpg.Connection, job_id: int) -> JobLine | None:
        """A job with its source, without a lock."""
        row = await db.fetchrow(self._sql.job_line, job_id)
        return None if row is None else _line(row)

    async def adaptive_state(self, db: asyncpg.Connection, source_id: int) -> AdaptiveState | None:
        row = await db.fetchrow(self._sql.adaptive_state, source_id)
        return None if row is None else AdaptiveState(**dict(row))

    async def keep_adaptive_state(self, db: asyncpg.Connection, source_id: int, state: AdaptiveState) -> None:
        await db.execute(
            self._sql.keep_adaptive_state,
            source_id,
            state.last_hash,
            state.last_change_at,
            state.unchanged_count,
            state.current_interval,
        )


def _values(job: Job) -> tuple[object, ...]:
    """The parameters of `save_job`."""
    return (
        job.job_id,
        job.status.value,
        *_interval(job.every),
        job.priority,
        job.next_run_at,
        job.paused_at,
        job.paused_by and job.paused_by.value,
        job.started_at,
        job.completed_at,
        job.runs,
        job.failure_count,
        job.last_failure_at,
        job.backoff_until,
        job.error_message,
        job.cancelled_at,
        job.lock_token,
        job.lock_acquired_at,
        job.max_retries,
        job.retry_backoff_seconds,
        job.current_retry_count,
        job.slot_at,
        job.placed_at,
        job.adaptive_scheduling,
        dict(job.metadata),
    )


def _like(glob: str) -> str:
    """The LIKE pattern of a glob: `*` is any text, `?` any character."""
    return glob.translate({ord("\\"): "\\\\", ord("%"): "\\%", ord("_"): "\\_", ord("*"): "%", ord("?"): "_"})


def _interval(every: Interval | None) -> tuple[int | None, str]:
    return (None, Unit.MINUTES.value) if every is None else (every.count, every.unit.value)


def _slot_entry(row: Any) -> SlotEntry:
    return SlotEntry(
        row["job_id"],
        None if row["interval_count"] is None else _interval_in_force(row),
        row["next_run_at"],
        row["placed_at"],
        row["is_running"],
    )


def _interval_in_force(row: Any) -> timedelta:
    """The interval of a job, or the longer one that adaptive scheduling has found."""
    length = _length(row["interval_count"], row["interval_type"])
    adaptive: timedelta | None = row["adaptive"]
    return length if adaptive is None else max(length, adaptive)


@lru_cache(maxsize=1024)
def _length(count: int, unit: str) -> timedelta:
    """The length of an interval: thousands of jobs have the same few."""
    return Interval(count, Unit(unit)).length


def _line(row: Any) -> JobLine:
    known = AdaptiveState(
        row["last_hash"], row["last_change_at"], row["unchanged_count"], row["current_interval"]
    )
    return JobLine(
        _job(row),
        row["source_name"],
        row["source_url"],
        row["source_public_id"],
        tuple(row["labels"]),
        known if row["last_hash"] is not None else None,
        row["source_enabled"],
    )


def _job(row: Any) -> Job:
    columns = set(row.keys())
    values = {each.name: row[each.name] for each in fields(Job) if each.name in columns}
    values |= {
        "status": JobStatus(row["status"]),
        "paused_by": PausedBy(by) if (by := row["paused_by"]) else None,
    }
    return Job(**values, every=None if row["interval_count"] is None else _every(row))


def _every(row: Any) -> Interval:
    return Interval(row["interval_count"], Unit(row["interval_type"]))
