"""The words of pages about jobs, and which verbs a job allows. Pure."""

from collections.abc import Sequence

from outrider.jobs.model import JobStatus
from outrider.jobs.states import JobAction, actions_in, is_terminal
from outrider.services.jobs.changes import JobVerb
from outrider.services.jobs.jobs import JobDetails

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

_NEEDS_SOURCE = (JobVerb.RUN, JobVerb.RESUME, JobVerb.RETRY)


def allowed_verbs(details: JobDetails) -> Sequence[JobVerb]:
    """What can be done to a job in its state (JOB-05, JOB-21). A disabled source lets no job run."""
    job = details.job
    verbs = [_VERB_OF[action] for action in actions_in(job.status)]
    if job.status is JobStatus.COMPLETED and is_terminal(job):
        verbs.append(JobVerb.RUN)
    if not details.source_enabled:
        verbs = [verb for verb in verbs if verb not in _NEEDS_SOURCE]
    if not job.has_open_execution:
        verbs.append(JobVerb.REMOVE)
    return verbs
