"""Use cases that change jobs: one by its name, or many by label, source or state.

Many jobs are changed one by one, each in a transaction of its own: a job that refuses stops no other.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from uuid import UUID

import asyncpg

from outrider.db.retry import retrying
from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.jobs import operate
from outrider.jobs.filter import JobFilter, JobSort
from outrider.jobs.model import Job, JobStatus
from outrider.jobs.operate import JobChanges
from outrider.jobs.options import JobOptions
from outrider.jobs.placing import SlotChooser
from outrider.jobs.states import is_terminal
from outrider.jobs.store import JobLine, JobStore
from outrider.services.jobs.jobs import (
    JobDetails,
    check_priority,
    check_retries,
    details_of,
    find_job,
    read_job,
)
from outrider.services.transaction import one_transaction
from outrider.sources.model import Source
from outrider.sources.store import SourceStore

MOST_CHANGED = 10_000  # jobs in one command
NO_MATCH = "no job matches: `outrider job list` shows them all"

JobCommand = Callable[[asyncpg.Connection, int], Awaitable[Job]]


class JobVerb(StrEnum):
    """What a command does to jobs."""

    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    RETRY = "retry"
    RUN = "run"
    EDIT = "edit"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class JobSelection:
    """The jobs that a command is about: named ones, or all that match."""

    named: Sequence[str] = ()
    label: str | None = None
    source_pattern: str | None = None
    statuses: tuple[JobStatus, ...] = ()
    everything: bool = False

    @property
    def is_single(self) -> bool:
        """Whether it is one job that was named."""
        return len(self.named) == 1 and not self._has_filter and not self.everything

    def checked(self) -> "JobSelection":
        """The same selection; raises InvalidInput if it names nothing, or contradicts itself."""
        if not (self.named or self._has_filter or self.everything):
            raise InvalidInput("say which jobs: name them, or use --label, --source, --status or --all")
        if self.named and (self._has_filter or self.everything):
            raise InvalidInput("name jobs, or select them by --label, --source, --status or --all: not both")
        if self.everything and self._has_filter:
            raise InvalidInput("--all is every job: leave out --label, --source and --status, or --all")
        return self

    @property
    def _has_filter(self) -> bool:
        return bool(self.label is not None or self.source_pattern is not None or self.statuses)


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a command did to one job. `error` is the sentence of a job that refused."""

    number: int | None  # None: there is no such job
    id: UUID | None
    source_name: str
    status: JobStatus | None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class JobResults:
    """What a command did to many jobs."""

    dry_run: bool
    changed: int
    refused: int
    jobs: Sequence[JobResult]


def command_for(verb: JobVerb, options: JobOptions, changes: JobChanges | None = None) -> JobCommand:
    """The command that carries out a verb, for one batch of jobs; `changes` are those of an edit."""
    slots = SlotChooser.for_batch(is_balanced=options.balancing)
    match verb:
        case JobVerb.PAUSE:
            return operate.pause
        case JobVerb.RESUME:
            return partial(operate.resume, slots=slots)
        case JobVerb.CANCEL:
            return operate.cancel
        case JobVerb.RETRY:
            return _retry
        case JobVerb.RUN:
            return _run
        case JobVerb.REMOVE:
            return operate.remove
        case JobVerb.EDIT:
            changes = changes or JobChanges()
            check_priority(changes.priority)
            check_retries(changes.max_retries)
            return partial(operate.edit, changes=changes, slots=slots)


async def change_job(db: asyncpg.Connection, named: str, command: JobCommand) -> JobDetails:
    """Change one job; raises NotFound, and Conflict with the state that does not allow it."""
    async with db.transaction():
        line = await find_job(db, named)
        return details_of(replace(line, job=await command(db, line.job.job_id)))


async def update_job(
    db: asyncpg.Connection,
    named: str,
    changes: JobChanges,
    options: JobOptions,
    check: Callable[[JobDetails], None],
) -> JobDetails:
    """Change a job that `check` accepts; it gets the job after its row is locked."""
    command = command_for(JobVerb.EDIT, options, changes)
    async with db.transaction():
        job_id = (await find_job(db, named)).job.job_id
        await JobStore().locked(db, job_id)
        check(await read_job(db, str(job_id)))
        return await change_job(db, str(job_id), command)


async def force_run_job(db: asyncpg.Connection, named: str) -> JobDetails:
    """Run a scheduled job at the next poll (JOB-13). Raises Conflict in any other state."""

    async def command(db: asyncpg.Connection, job_id: int) -> Job:
        job = await operate.force_run(db, job_id)
        await _check_source(db, job)
        return job

    return await change_job(db, named, command)


async def change_jobs(
    db: asyncpg.Connection, selection: JobSelection, command: JobCommand, *, dry_run: bool = False
) -> JobResults:
    """Change many jobs. A dry run does the same and rolls each change back."""
    selection = selection.checked()
    if selection.named:
        results = [await _change_named(db, name, command, dry_run) for name in selection.named]
    else:
        lines = await _selected(db, selection)
        results = [await _change(db, line, command, dry_run) for line in lines]
    refused = sum(each.error is not None for each in results)
    return JobResults(dry_run, len(results) - refused, refused, results)


async def count_selected(db: asyncpg.Connection, selection: JobSelection) -> int:
    """How many jobs a command is about; raises NotFound if there is none."""
    selection = selection.checked()
    return len(selection.named or await _selected(db, selection))


async def _selected(db: asyncpg.Connection, selection: JobSelection) -> list[JobLine]:
    wanted = JobFilter(
        statuses=selection.statuses,
        label=selection.label,
        source_pattern=selection.source_pattern,
        sort=JobSort.SOURCE_NAME,
        limit=MOST_CHANGED,
    )
    lines, total = await JobStore().page(db, wanted)
    if not lines:
        raise NotFound(NO_MATCH)
    if total > MOST_CHANGED:
        raise InvalidInput(f"{total:,} jobs match, and one command changes up to {MOST_CHANGED:,}")
    return lines


async def _change_named(db: asyncpg.Connection, named: str, command: JobCommand, dry_run: bool) -> JobResult:
    try:
        line = await find_job(db, named)
    except NotFound as error:
        return JobResult(None, None, named, None, str(error))
    return await _change(db, line, command, dry_run)


async def _change(db: asyncpg.Connection, line: JobLine, command: JobCommand, dry_run: bool) -> JobResult:
    before = line.job

    async def attempt() -> Job:
        async with one_transaction(db, dry_run=dry_run):
            return await command(db, before.job_id)

    try:
        after = await retrying(attempt)
    except (Conflict, NotFound, InvalidInput) as error:
        return JobResult(before.job_id, before.public_id, line.source_name, before.status, str(error))
    return JobResult(after.job_id, after.public_id, line.source_name, after.status)


async def _retry(db: asyncpg.Connection, job_id: int) -> Job:
    """A job of a source that is disabled or gone would wait for ever, so it is refused."""
    job = await operate.retry(db, job_id)
    await _check_source(db, job)
    return job


async def _run(db: asyncpg.Connection, job_id: int) -> Job:
    """Run a scheduled job now; a one-time job that has completed is added again (JOB-06, JOB-13)."""
    found = await JobStore().locked(db, job_id)
    job = found.job
    source = await _check_source(db, job)
    if job.status is JobStatus.COMPLETED and is_terminal(job):
        return await operate.add(
            db,
            source,
            None,
            priority=job.priority,
            adaptive=job.adaptive_scheduling,
            max_retries=job.max_retries,
        )
    return await operate.force_run(db, job_id)


async def _check_source(db: asyncpg.Connection, job: Job) -> Source:
    source = await SourceStore().by_id(db, job.source_id)
    if not source.enabled:
        raise Conflict(f"{source.name!r} is disabled: `outrider source enable` first")
    return source
