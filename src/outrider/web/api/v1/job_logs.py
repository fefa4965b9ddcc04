"""The logs of a job's executions (API-49, API-52, API-53)."""

from typing import Annotated

from fastapi import Query
from starlette.responses import StreamingResponse

from outrider.auth.model import Role
from outrider.log_archive import log_archive_of
from outrider.run_logs.model import LineLevel, LogCategory
from outrider.run_logs.store import LogFilter
from outrider.services.runs.log_view import LATEST, JobLogs, LogView, job_logs, open_log_file, view_log
from outrider.web.api.v1.ids import JobId
from outrider.web.api.v1.shapes.job_logs import JobLogsShape, LogViewShape
from outrider.web.dependencies import Context, Db, Paging
from outrider.web.router import ApiRouter

router = ApiRouter("logs")

MOST_LINES = 1_000

Execution = Annotated[
    str,
    Query(pattern="^(latest|[0-9]{1,9})$", description="The number of an execution of the job, or `latest`."),
]


@router.get(
    "/api/v1/jobs/{id}/logs",
    Role.USER,
    summary="Show which logs a job has",
    result=JobLogsShape,
    errors=(401, 404, 422),
)
async def get_job_logs(db: Db, paging: Paging, id: JobId) -> JobLogs:
    """The log of each execution: whether it is kept, archived, or still written."""
    return await job_logs(db, id, paging)


@router.get(
    "/api/v1/jobs/{id}/logs/download",
    Role.USER,
    summary="Download the log of an execution",
    media=("application/gzip",),
    errors=(401, 404, 422),
)
async def get_log_file(
    db: Db, context: Context, id: JobId, execution: Execution = LATEST
) -> StreamingResponse:
    """A gzip file with one JSON object a line. Of a run that goes on it has the lines so far."""
    found = await open_log_file(db, log_archive_of(context.settings), id, execution)
    headers = {"Content-Disposition": f'attachment; filename="{found.name}"'}
    return StreamingResponse(found.chunks(), media_type="application/gzip", headers=headers)


@router.get(
    "/api/v1/jobs/{id}/logs/view",
    Role.USER,
    summary="Read the log of an execution",
    result=LogViewShape,
    errors=(400, 401, 404, 422),
)
async def get_log_view(
    db: Db,
    context: Context,
    id: JobId,
    execution: Execution = LATEST,
    after: Annotated[
        str | None, Query(max_length=40, description="The `position` of the page before.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_LINES, description="Lines of a page.")] = 200,
    level: Annotated[LineLevel, Query(description="The least level.")] = LineLevel.DEBUG,
    category: Annotated[LogCategory | None, Query(description="Only lines about this.")] = None,
) -> LogView:
    """Parsed lines after a position. A stream that begins after `position` continues this page."""
    wanted = LogFilter(level, tuple(LogCategory) if category is None else (category,))
    return await view_log(db, log_archive_of(context.settings), id, execution, after, wanted, limit)
