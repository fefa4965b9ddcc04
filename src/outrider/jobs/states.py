"""From which state a job may go to which (JOB-03). Pure; every write of a state asks here first."""

from collections.abc import Mapping

from outrider.errors import Conflict
from outrider.jobs.model import JobStatus

ALLOWED: Mapping[JobStatus, frozenset[JobStatus]] = {
    JobStatus.PENDING: frozenset((JobStatus.SCHEDULED, JobStatus.RUNNING, JobStatus.CANCELLED)),
    JobStatus.SCHEDULED: frozenset(
        (JobStatus.RUNNING, JobStatus.PAUSED, JobStatus.CANCELLED, JobStatus.PENDING)
    ),
    JobStatus.RUNNING: frozenset(
        (JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.SCHEDULED, JobStatus.CANCELLED)
    ),
    JobStatus.PAUSED: frozenset((JobStatus.SCHEDULED, JobStatus.CANCELLED)),
    JobStatus.COMPLETED: frozenset((JobStatus.SCHEDULED,)),
    JobStatus.FAILED: frozenset((JobStatus.PENDING,)),
    JobStatus.CANCELLED: frozenset(),
}


def transition(was: JobStatus, to: JobStatus) -> JobStatus:
    """`to`, if a job may go there; raises Conflict that names the state it is in."""
    if to is was:
        raise Conflict(f"the job is {was.value} already")
    if to not in ALLOWED[was]:
        raise Conflict(f"the job is {was.value}: it cannot become {to.value}")
    return to
