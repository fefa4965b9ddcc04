"""The words of pages about jobs, and which verbs a job allows. Pure."""

from collections.abc import Sequence

from outrider.jobs.model import Job, JobStatus
from outrider.jobs.states import JobAction, actions_in, is_terminal
from outrider.services.job_changes import JobVerb

VERB_WORDS = {
    JobVerb.RUN: "Run now",
    JobVerb.PAUSE: "Pause",
    JobVerb.RESUME: "Resume",
    JobVerb.RETRY: "Retry",
    JobVerb.CANCEL: "Cancel",
    JobVerb.EDIT: "Edit",
    JobVerb.REMOVE: "Remove",
}
DONE_TO_JOBS = {
    JobVerb.RUN: "{is_} queued to run now",
    JobVerb.PAUSE: "{is_} paused",
    JobVerb.RESUME: "{is_} scheduled again",
    JobVerb.RETRY: "{is_} queued to run again",
    JobVerb.CANCEL: "{is_} cancelled for ever",
    JobVerb.REMOVE: "{is_} removed with all executions",
}
_VERB_OF = {
    JobAction.PAUSE: JobVerb.PAUSE,
    JobAction.RESUME: JobVerb.RESUME,
    JobAction.CANCEL: JobVerb.CANCEL,
    JobAction.RETRY: JobVerb.RETRY,
    JobAction.FORCE_RUN: JobVerb.RUN,
}


def allowed_verbs(job: Job) -> Sequence[JobVerb]:
    """What can be done to a job in its state (JOB-05, JOB-21)."""
    verbs = [_VERB_OF[action] for action in actions_in(job.status)]
    if job.status is JobStatus.COMPLETED and is_terminal(job):
        verbs.append(JobVerb.RUN)
    if not job.has_open_execution:
        verbs.append(JobVerb.REMOVE)
    return verbs
