"""The events of jobs. Pure."""

from typing import Any

from outrider.events.catalogue import EventKind
from outrider.events.record import NewEvent
from outrider.jobs.model import Job, JobStatus

LONGEST_SHOWN = 500  # characters of an error


def status_event(job: Job, previous: JobStatus | None) -> NewEvent:
    """A job was created, if it had no state before, or has another state now."""
    payload = {
        **_names(job),
        "status": job.status.value,
        "previous_status": previous and previous.value,
        "next_run_at": job.next_run_at and job.next_run_at.isoformat(),
        "error_message": job.error_message and job.error_message[:LONGEST_SHOWN],
    }
    return NewEvent(EventKind.JOB_STATUS, str(job.public_id), payload)


def deleted_event(job: Job) -> NewEvent:
    """A job was deleted."""
    return NewEvent(EventKind.JOB_DELETED, str(job.public_id), _names(job))


def _names(job: Job) -> dict[str, Any]:
    return {"job_id": str(job.public_id), "number": job.job_id, "source_id": job.source_id}
