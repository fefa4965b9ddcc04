"""`/api/v1/jobs`: list, create, read, change and delete jobs (API-31 to API-36, API-44)."""

from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.jobs.filter import JobFilter, JobSort
from outrider.jobs.job_stats import JobStats
from outrider.services.jobs.changes import JobVerb, change_job, command_for, update_job
from outrider.services.jobs.history import StatusCounts, count_jobs, stats_of_job
from outrider.services.jobs.jobs import (
    JobDetails,
    add_job,
    list_jobs,
    list_named_job,
    read_job,
    read_statuses,
)
from outrider.services.paging import ListPage
from outrider.web.api.v1.ids import JobId
from outrider.web.api.v1.job_bodies import JobChangeBody, NewJobBody
from outrider.web.api.v1.shapes.jobs import JobShape
from outrider.web.api.v1.sorting import SortOrder
from outrider.web.dependencies import Context, Db, Paging
from outrider.web.if_match import IfMatch
from outrider.web.router import ApiRouter

router = ApiRouter("jobs")


@router.get(
    "/api/v1/jobs",
    Role.USER,
    summary="List jobs",
    result=ListPage[JobShape],
    errors=(400, 401, 404, 422),
    has_position=True,
)
async def get_jobs(
    db: Db,
    paging: Paging,
    status: Annotated[
        str, Query(max_length=200, description="States, separated by commas: `running,failed`.")
    ] = "",
    source_id: Annotated[
        str, Query(max_length=500, description="Name, number, id or address of a source.")
    ] = "",
    search: Annotated[
        str, Query(max_length=500, description="Text in the name or address of the source.")
    ] = "",
    label: Annotated[str | None, Query(max_length=200, description="A label of the source.")] = None,
    source_pattern: Annotated[
        str | None, Query(max_length=500, description="A pattern of the source's name, such as `sport-*`.")
    ] = None,
    sort_by: Annotated[JobSort, Query(description="What the list is sorted by.")] = JobSort.NEXT_RUN_AT,
    sort_order: Annotated[SortOrder, Query(description="The direction.")] = SortOrder.ASC,
    named: Annotated[
        str,
        Query(max_length=8_000, description="Number or id of one job, or its source."),
    ] = "",
) -> ListPage[JobDetails]:
    """Jobs with their source, state and next run. With `named` it is one job, whatever the filters are."""
    if named:
        return await list_named_job(db, named, paging)
    wanted = JobFilter(
        read_statuses(status),
        search,
        label=label,
        source_pattern=source_pattern,
        sort=sort_by,
        descending=sort_order is SortOrder.DESC,
    )
    return await list_jobs(db, wanted, paging, source_id)


@router.post(
    "/api/v1/jobs",
    Role.ADMIN,
    summary="Create a job",
    result=JobShape,
    status=201,
    creates="/id",
    action="job.create",
    errors=(400, 401, 403, 404, 409, 422),
)
async def post_job(db: Db, context: Context, body: NewJobBody) -> JobDetails:
    """A job with an interval runs again and again; a job without one runs once, now (JOB-06)."""
    return await add_job(db, body.request(), context.settings.jobs)


@router.get(
    "/api/v1/jobs/status-counts",
    Role.USER,
    summary="Count jobs by state",
    result=StatusCounts,
    errors=(401,),
    has_position=True,
)
async def get_job_status_counts(db: Db) -> StatusCounts:
    """The number of jobs in each of the seven states."""
    return await count_jobs(db)


@router.get(
    "/api/v1/jobs/{id}",
    Role.USER,
    summary="Show a job",
    result=JobShape,
    errors=(401, 404, 422),
    has_position=True,
)
async def get_job(db: Db, id: JobId) -> JobDetails:
    """One job. Its `ETag` can be sent as `If-Match` with a change."""
    return await read_job(db, id)


@router.put(
    "/api/v1/jobs/{id}",
    Role.ADMIN,
    summary="Change a job",
    result=JobShape,
    action="job.update",
    errors=(400, 401, 403, 404, 409, 412, 422),
)
async def put_job(db: Db, context: Context, check: IfMatch, id: JobId, body: JobChangeBody) -> JobDetails:
    """Change the interval, the priority, the retries or the metadata. Actions change the state."""
    return await update_job(db, id, body.changes(), context.settings.jobs, check)


@router.delete(
    "/api/v1/jobs/{id}",
    Role.ADMIN,
    summary="Delete a job",
    status=204,
    action="job.delete",
    errors=(401, 403, 404, 409, 422),
)
async def delete_job(db: Db, context: Context, id: JobId) -> None:
    """Delete a job and its executions. A job whose run goes on is refused: cancel it first (JOB-21)."""
    await change_job(db, id, command_for(JobVerb.REMOVE, context.settings.jobs))


@router.get(
    "/api/v1/jobs/{id}/stats",
    Role.USER,
    summary="Show the figures of a job",
    result=JobStats,
    errors=(401, 404, 422),
)
async def get_job_stats(db: Db, id: JobId) -> JobStats:
    """Totals, durations and the success rate over the executions that are kept (JOB-18)."""
    return await stats_of_job(db, id)
