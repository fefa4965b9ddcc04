"""What an operator does to jobs (JOB-05). The caller opens the transaction.

Each function locks the job, makes the change by `transitions.py`, and writes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import asyncpg

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.jobs import transitions
from outrider.jobs.effects import SCHEDULE_BY, planned
from outrider.jobs.model import MAX_RETRIES, RETRY_BACKOFF_S, Interval, Job, PausedBy
from outrider.jobs.placing import SlotChooser
from outrider.jobs.schedule import plan_for
from outrider.jobs.store import JobStore, LockedJob, NewJob
from outrider.runs.model import CancelledBy
from outrider.runs.store import RunStore
from outrider.sources.model import Source
from outrider.sources.store import SourceStore

CANCELLED_WITH_JOB = "the job was cancelled"


@dataclass(frozen=True, slots=True)
class JobChanges:
    """What an operator changes about a job. None: it stays as it is."""

    every: Interval | None = None
    priority: int | None = None
    adaptive: bool | None = None
    max_retries: int | None = None
    retry_backoff_seconds: int | None = None
    metadata: Mapping[str, Any] | None = None  # replaces what programs keep with the job

    @property
    def is_about_schedule(self) -> bool:
        """Whether more than the metadata changes."""
        return replace(self, metadata=None) != JobChanges()


async def job_of(db: asyncpg.Connection, source: Source) -> Job:
    """The managed job of a source. Raises NotFound while the source has none."""
    found = await JobStore().managed_job(db, source.source_id)
    if found is None:
        raise NotFound(
            f"{source.name!r} has no job: workers make one for an enabled source within seconds, "
            "and `outrider source sync` does so at once"
        )
    return found


async def add(
    db: asyncpg.Connection,
    source: Source,
    every: Interval | None,
    *,
    priority: int | None = None,
    adaptive: bool = True,
    max_retries: int = MAX_RETRIES,
    retry_backoff_seconds: int = RETRY_BACKOFF_S,
    metadata: Mapping[str, Any] | None = None,
    slots: SlotChooser | None = None,
) -> Job:
    """Add a job besides the managed one: without an interval it runs once, now (JOB-06, JOB-08)."""
    if not source.enabled:
        raise Conflict(f"{source.name!r} is disabled: `outrider source enable` first")
    now, slots = await JobStore().now(db), slots or SlotChooser()
    slot = now if every is None else await slots.choose(db, every.length, now)
    job = await JobStore().create(
        db,
        NewJob(
            source.source_id,
            transitions.first_schedule(every, slot, now),
            every,
            plan_for(source).priority if priority is None else priority,
            adaptive_scheduling=adaptive,
            max_retries=max_retries,
            retry_backoff_seconds=retry_backoff_seconds,
        ),
    )
    await slots.keep(db, job)
    return await JobStore().save(db, replace(job, metadata=dict(metadata))) if metadata else job


async def pause(db: asyncpg.Connection, job_id: int) -> Job:
    """Pause the job until an operator resumes it, or until the source is disabled and enabled again."""
    return await _change(db, job_id, lambda job, now: transitions.pause(job, PausedBy.OPERATOR, now))


async def resume(db: asyncpg.Connection, job_id: int, *, slots: SlotChooser | None = None) -> Job:
    """Raises Conflict while the source is disabled: enabling the source resumes its job."""
    slots = slots or SlotChooser()
    found = await JobStore().locked(db, job_id)
    source = await SourceStore().by_id(db, found.job.source_id)
    if found.job.is_paused and not source.enabled:
        raise Conflict(
            f"the job is paused because {source.name!r} is disabled: `outrider source enable` resumes both"
        )
    job = planned(found.job, source)
    slot = await slots.choose(db, job.interval, found.now, found.job)
    resumed = await JobStore().save(db, transitions.resume(job, slot, found.now))
    await slots.keep(db, resumed, found.job)
    return resumed


async def cancel(db: asyncpg.Connection, job_id: int, why: str = CANCELLED_WITH_JOB) -> Job:
    """Cancel the job for ever, and its run if one goes on (JOB-11)."""
    job = await _change(db, job_id, transitions.cancel)
    run = await RunStore().open_of_job(db, job_id)
    if run is not None:
        await RunStore().ask_to_cancel(db, run.run_id, why, CancelledBy.OPERATOR)
    return job


async def retry(db: asyncpg.Connection, job_id: int) -> Job:
    """Run a failed job now, with all its retries (JOB-12)."""
    return await _change(db, job_id, transitions.retry)


async def force_run(db: asyncpg.Connection, job_id: int) -> Job:
    """Run a scheduled job at the next poll; its rhythm stays (JOB-13)."""
    return await _change(db, job_id, transitions.force_run)


async def edit(
    db: asyncpg.Connection, job_id: int, changes: JobChanges, *, slots: SlotChooser | None = None
) -> Job:
    """Change the interval, the priority or the retries; a managed job keeps them when its source changes."""
    if changes == JobChanges():
        raise InvalidInput("say what changes: --every, --priority, --adaptive or --max-retries")
    slots = slots or SlotChooser()
    found = await JobStore().locked(db, job_id)
    job = found.job
    if changes.every is not None:
        if job.every is None:
            raise Conflict("the job runs once: add a job with --every instead")
        slot = await slots.choose(db, changes.every.length, found.now, job)
        job = transitions.change_interval(job, changes.every, slot, found.now)
    job = replace(
        job,
        priority=job.priority if changes.priority is None else changes.priority,
        adaptive_scheduling=job.adaptive_scheduling if changes.adaptive is None else changes.adaptive,
        max_retries=job.max_retries if changes.max_retries is None else changes.max_retries,
        retry_backoff_seconds=changes.retry_backoff_seconds or job.retry_backoff_seconds,
        metadata=_metadata(job, changes),
    )
    saved = await JobStore().save(db, job)
    await slots.keep(db, saved, found.job)
    return saved


async def remove(db: asyncpg.Connection, job_id: int) -> Job:
    """Delete a job and its runs. Raises Conflict while a run goes on (JOB-21)."""
    found = await JobStore().locked(db, job_id)
    transitions.check_delete(found.job)
    await JobStore().remove(db, found.job)
    return found.job


def _metadata(job: Job, changes: JobChanges) -> dict[str, Any]:
    """The metadata after an edit; `SCHEDULE_BY` belongs to this program and is not replaced."""
    kept = dict(job.metadata)
    if changes.metadata is not None:
        own = {SCHEDULE_BY: kept[SCHEDULE_BY]} if SCHEDULE_BY in kept else {}
        kept = {name: value for name, value in changes.metadata.items() if name != SCHEDULE_BY} | own
    return kept | {SCHEDULE_BY: PausedBy.OPERATOR.value} if changes.is_about_schedule else kept


async def _change(db: asyncpg.Connection, job_id: int, change: Callable[[Job, datetime], Job]) -> Job:
    found: LockedJob = await JobStore().locked(db, job_id)
    return await JobStore().save(db, change(found.job, found.now))
