"""Executions of jobs (API-42, API-43)."""

from outrider.auth.model import Role
from outrider.services.jobs.history import job_history
from outrider.services.jobs.runs import JobRun
from outrider.services.paging import ListPage
from outrider.services.runs.details import RunDetails
from outrider.services.runs.runs import show_run
from outrider.web.api.v1.ids import ExecutionId, JobId
from outrider.web.dependencies import Db, Paging
from outrider.web.router import ApiRouter

router = ApiRouter("executions")


@router.get(
    "/api/v1/jobs/{id}/executions",
    Role.USER,
    summary="List the executions of a job",
    result=ListPage[JobRun],
    errors=(401, 404, 422),
    has_position=True,
)
async def get_executions(db: Db, paging: Paging, id: JobId) -> ListPage[JobRun]:
    """The executions that are kept, newest first (JOB-14, JOB-17)."""
    return await job_history(db, id, paging)


@router.get(
    "/api/v1/executions/{id}",
    Role.USER,
    summary="Show an execution",
    result=RunDetails,
    errors=(401, 404, 422),
    has_position=True,
)
async def get_execution(db: Db, id: ExecutionId) -> RunDetails:
    """One execution with its progress and its metrics (JOB-16)."""
    return await show_run(db, id)
