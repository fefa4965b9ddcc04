"""What must happen to the job of a source (SRC-10). Pure.

Which event brought us here is not asked: the source as it is decides. So an event that comes late, twice or
before an earlier one does no harm, and what a lost one left undone is done with the next.
"""

from enum import StrEnum

from outrider.jobs.model import Job, JobStatus, PausedBy
from outrider.jobs.schedule import plan_for
from outrider.sources.model import Source


class Effect(StrEnum):
    """What a job needs to follow its source."""

    NOTHING = "nothing"
    CREATE = "create"
    RESCHEDULE = "reschedule"
    PAUSE = "pause"
    RESUME = "resume"
    REMOVE = "remove"


def decide(source: Source | None, job: Job | None, *, resumes: frozenset[PausedBy]) -> Effect:
    """No source: nobody watches it any more. An enabled one ends the pauses of those who are in `resumes`."""
    if source is None:
        return Effect.NOTHING if job is None else Effect.REMOVE
    if not source.enabled:
        return Effect.PAUSE if job is not None and _can_pause(job) else Effect.NOTHING
    if job is None:
        return Effect.CREATE
    if job.paused_by in resumes:
        return Effect.RESUME
    plan = plan_for(source)
    return Effect.NOTHING if (job.every, job.priority) == (plan.every, plan.priority) else Effect.RESCHEDULE


def _can_pause(job: Job) -> bool:
    """A job that somebody paused waits for its source from now on."""
    return job.status is JobStatus.SCHEDULED or job.paused_by is PausedBy.OPERATOR
