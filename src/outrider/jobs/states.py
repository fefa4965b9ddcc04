"""From which state a job may go to which (JOB-03). Pure; every write of a state asks here first."""

from collections.abc import Mapping

from outrider.errors import Conflict
from outrider.jobs.model import Status

ALLOWED: Mapping[Status, frozenset[Status]] = {
    Status.PENDING: frozenset((Status.SCHEDULED, Status.RUNNING, Status.CANCELLED)),
    Status.SCHEDULED: frozenset((Status.RUNNING, Status.PAUSED, Status.CANCELLED, Status.PENDING)),
    Status.RUNNING: frozenset((Status.COMPLETED, Status.FAILED, Status.SCHEDULED, Status.CANCELLED)),
    Status.PAUSED: frozenset((Status.SCHEDULED, Status.CANCELLED)),
    Status.COMPLETED: frozenset((Status.SCHEDULED,)),
    Status.FAILED: frozenset((Status.PENDING,)),
    Status.CANCELLED: frozenset(),
}


def transition(was: Status, to: Status) -> Status:
    """`to`, if a job may go there; raises Conflict that names the state it is in."""
    if to is was:
        raise Conflict(f"the job is {was.value} already")
    if to not in ALLOWED[was]:
        raise Conflict(f"the job is {was.value}: it cannot become {to.value}")
    return to
