"""Actions on jobs (API-37 to API-41) and changes of many jobs at once."""

from outrider.auth.model import Role
from outrider.services.jobs.changes import (
    JobResults,
    JobVerb,
    change_job,
    change_jobs,
    command_for,
    force_run_job,
)
from outrider.services.jobs.jobs import JobDetails
from outrider.web.api.v1.ids import JobId
from outrider.web.api.v1.job_bodies import JobBulkBody
from outrider.web.api.v1.shapes.jobs import JobShape
from outrider.web.dependencies import Context, Db
from outrider.web.router import ApiRouter

router = ApiRouter("jobs")

_ERRORS = (401, 403, 404, 409, 422)


@router.post(
    "/api/v1/jobs/bulk",
    Role.ADMIN,
    summary="Change many jobs",
    result=JobResults,
    action="job.bulk",
    in_transaction=False,
    errors=(400, *_ERRORS),
)
async def post_jobs_bulk(db: Db, context: Context, body: JobBulkBody) -> JobResults:
    """Pause, resume, cancel, retry, run, edit or remove the selected jobs, each in a transaction of its own.

    A job that refuses says why and stops no other. With `dry_run` every change is rolled back.
    """
    changes = None if body.changes is None else body.changes.changes()
    command = command_for(body.verb, context.settings.jobs, changes)
    return await change_jobs(db, body.selection, command, dry_run=body.dry_run)


@router.post(
    "/api/v1/jobs/{id}/pause",
    Role.ADMIN,
    summary="Pause a job",
    result=JobShape,
    action="job.pause",
    errors=_ERRORS,
)
async def post_job_pause(db: Db, context: Context, id: JobId) -> JobDetails:
    """Pause a scheduled job until it is resumed."""
    return await change_job(db, id, command_for(JobVerb.PAUSE, context.settings.jobs))


@router.post(
    "/api/v1/jobs/{id}/resume",
    Role.ADMIN,
    summary="Resume a job",
    result=JobShape,
    action="job.resume",
    errors=_ERRORS,
)
async def post_job_resume(db: Db, context: Context, id: JobId) -> JobDetails:
    """Schedule a paused job again, in the least-loaded slot."""
    return await change_job(db, id, command_for(JobVerb.RESUME, context.settings.jobs))


@router.post(
    "/api/v1/jobs/{id}/cancel",
    Role.ADMIN,
    summary="Cancel a job",
    result=JobShape,
    action="job.cancel",
    errors=_ERRORS,
)
async def post_job_cancel(db: Db, context: Context, id: JobId) -> JobDetails:
    """Cancel a job for ever. Its run, if one goes on, begins no further request (JOB-11)."""
    return await change_job(db, id, command_for(JobVerb.CANCEL, context.settings.jobs))


@router.post(
    "/api/v1/jobs/{id}/retry",
    Role.ADMIN,
    summary="Retry a failed job",
    result=JobShape,
    action="job.retry",
    errors=_ERRORS,
)
async def post_job_retry(db: Db, context: Context, id: JobId) -> JobDetails:
    """Run a failed job now, with all its retries (JOB-12)."""
    return await change_job(db, id, command_for(JobVerb.RETRY, context.settings.jobs))


@router.post(
    "/api/v2/jobs/{id}/force-run",
    Role.ADMIN,
    summary="Run a scheduled job now",
    result=JobShape,
    status=202,
    action="job.force_run",
    aliases=("/api/v1/jobs/{id}/force-run",),
    errors=_ERRORS,
)
async def post_job_force_run(db: Db, id: JobId) -> JobDetails:
    """Queue a scheduled job for the next poll of the scheduler; later runs keep their rhythm (JOB-13)."""
    return await force_run_job(db, id)
