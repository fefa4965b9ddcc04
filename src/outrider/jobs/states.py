"""The allowed transitions between states of a job (JOB-03). Pure. Every write of a state checks them.

An action is what an operator asks for. It is allowed in some states only (JOB-05).
"""

from collections.abc import Mapping
from enum import StrEnum

from outrider.errors import Conflict
from outrider.jobs.model import Job, JobStatus

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


class JobAction(StrEnum):
    """What an operator can do to a job (JOB-05)."""

    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"
    RETRY = "retry"
    FORCE_RUN = "force-run"


VALID_STATES: Mapping[JobAction, tuple[JobStatus, ...]] = {
    JobAction.PAUSE: (JobStatus.SCHEDULED,),
    JobAction.RESUME: (JobStatus.PAUSED,),
    JobAction.CANCEL: (JobStatus.SCHEDULED, JobStatus.RUNNING, JobStatus.PAUSED, JobStatus.PENDING),
    JobAction.RETRY: (JobStatus.FAILED,),
    JobAction.FORCE_RUN: (JobStatus.SCHEDULED,),
}

_PARTICIPLE = {
    JobAction.PAUSE: "paused",
    JobAction.RESUME: "resumed",
    JobAction.CANCEL: "cancelled",
    JobAction.RETRY: "retried",
    JobAction.FORCE_RUN: "force-run",
}


def actions_in(status: JobStatus) -> tuple[JobAction, ...]:
    """The actions that a state allows."""
    return tuple(action for action, states in VALID_STATES.items() if status in states)


def check_action(action: JobAction, status: JobStatus) -> None:
    """Raises Conflict, with what can be done instead, if the state does not allow the action."""
    if status not in VALID_STATES[action]:
        states = _either([each.value for each in VALID_STATES[action]])
        raise Conflict(
            f"the job is {status.value}: only a {states} one can be {_PARTICIPLE[action]}; {_instead(status)}"
        )


def is_terminal(job: Job) -> bool:
    """Whether no run of this job will start by itself again (JOB-04). A failed job can still be retried."""
    match job.status:
        case JobStatus.COMPLETED:
            return not job.is_recurring
        case status:
            return status in (JobStatus.FAILED, JobStatus.CANCELLED)


def _instead(status: JobStatus) -> str:
    possible = _either([each.value for each in actions_in(status)])
    return f"you can {possible} it" if possible else "it has ended, so add a new job"


def _either(words: list[str]) -> str:
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
