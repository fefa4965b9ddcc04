"""The allowed transitions between states of a job (JOB-03). Pure. Every write of a state checks them."""

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
    """Returns `to` if the transition is allowed; raises Conflict with the current state if not."""
    if to is was:
        raise Conflict(f"the job is {was.value} already")
    if to not in ALLOWED[was]:
        raise Conflict(f"the job is {was.value}: it cannot become {to.value}")
    return to
