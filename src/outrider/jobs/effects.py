"""How the job of a source must change (SRC-10). Pure.

The decision depends on the current source, not on the event. So an event that comes late, twice or out of
order does no harm, and the next event makes up for a lost one.
"""

from dataclasses import replace
from enum import StrEnum

from outrider.jobs.model import Job, JobStatus, PausedBy
from outrider.jobs.schedule import plan_for
from outrider.sources.model import Source

SCHEDULE_BY = "schedule_by"  # in the metadata of a job: an operator has set its interval or priority


class Effect(StrEnum):
    """The change that a job needs to follow its source."""

    NOTHING = "nothing"
    CREATE = "create"
    RESCHEDULE = "reschedule"
    PAUSE = "pause"
    RESUME = "resume"
    REMOVE = "remove"


def decide(source: Source | None, job: Job | None, *, resumes: frozenset[PausedBy]) -> Effect:
    """No source: it was removed. An enabled source ends the pauses whose `paused_by` is in `resumes`."""
    if source is None:
        # The scheduler first ends the open run of a job, then it removes the job itself.
        is_over = job is not None and not job.has_open_execution
        return Effect.REMOVE if is_over else Effect.NOTHING
    if not source.enabled:
        return Effect.PAUSE if job is not None and _can_pause(job) else Effect.NOTHING
    if job is None:
        return Effect.CREATE
    if job.paused_by in resumes:
        return Effect.RESUME
    return Effect.NOTHING if planned(job, source) == job else Effect.RESCHEDULE


def planned(job: Job, source: Source) -> Job:
    """The job with the interval and the priority that follow from its source.

    A job keeps its own if an operator has set its schedule, or added it besides the managed one.
    """
    if not job.auto_managed or job.metadata.get(SCHEDULE_BY) == PausedBy.OPERATOR:
        return job
    plan = plan_for(source)
    return replace(job, every=plan.every, priority=plan.priority)


def _can_pause(job: Job) -> bool:
    """A job that an operator paused is paused again, so that it now waits for its source."""
    return job.status is JobStatus.SCHEDULED or job.paused_by is PausedBy.OPERATOR
