"""`/api/v1/runs`: start, list, read and cancel runs."""

from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.runs.listing import RunStats
from outrider.runs.model import StartedBy
from outrider.services.crawl.start import start_crawl
from outrider.services.paging import CursorPage
from outrider.services.runs.details import RunDetails, RunSummary
from outrider.services.runs.runs import RunFilter, cancel_run, show_run, stats_of_runs, walk_runs
from outrider.web.api.v1.ids import RunId
from outrider.web.api.v1.run_bodies import CancelBody, NewRunBody
from outrider.web.dependencies import Context, CursorPaging, Db
from outrider.web.router import ApiRouter

router = ApiRouter("runs")


@router.get(
    "/api/v1/runs",
    Role.USER,
    summary="List runs",
    result=CursorPage[RunSummary],
    errors=(400, 401, 404, 422),
    has_position=True,
)
async def get_runs(
    db: Db,
    paging: CursorPaging,
    status: Annotated[
        str, Query(max_length=200, description="States, separated by commas: `running,failed`.")
    ] = "",
    source: Annotated[str, Query(max_length=500, description="Name, number or address of a source.")] = "",
    started_by: Annotated[StartedBy | None, Query(description="What started the run.")] = None,
    job: Annotated[str, Query(max_length=36, description="The id of a job.")] = "",
) -> CursorPage[RunSummary]:
    """Runs of jobs and of crawls, newest first. Beyond 10,000 runs the total is a lower bound."""
    return await walk_runs(db, RunFilter(status, source, started_by, job), paging)


@router.post(
    "/api/v1/runs",
    Role.ADMIN,
    summary="Start a crawl",
    result=RunDetails,
    status=202,
    action="run.start",
    errors=(400, 401, 403, 409, 422),
)
async def post_run(db: Db, context: Context, body: NewRunBody) -> RunDetails:
    """Crawl from some URLs, as `outrider crawl` does, in the workers that run on this database.

    The answer is the run: follow it at `GET /api/v1/runs/{id}`. The same start URLs are the same crawl, so
    they are refused while its run goes on.
    """
    settings = context.settings
    return await start_crawl(db, body.policy(), settings.frontier, settings.fetch)


@router.get(
    "/api/v1/runs/stats",
    Role.USER,
    summary="Show the runs of a source in numbers",
    result=RunStats,
    errors=(400, 401, 404, 422),
)
async def get_run_stats(
    db: Db,
    source: Annotated[
        str, Query(min_length=1, max_length=500, description="Name, number or address of a source.")
    ],
) -> RunStats:
    """How many runs a source has had, how they ended, and how long they took."""
    return await stats_of_runs(db, source)


@router.get(
    "/api/v1/runs/{id}",
    Role.USER,
    summary="Show a run",
    result=RunDetails,
    errors=(401, 404, 422),
    has_position=True,
)
async def get_run(db: Db, id: RunId) -> RunDetails:
    """One run with its progress and its metrics. `last` is the newest run."""
    return await show_run(db, id)


@router.post(
    "/api/v1/runs/{id}/cancel",
    Role.ADMIN,
    summary="Cancel a run",
    result=RunDetails,
    status=202,
    action="run.cancel",
    in_transaction=False,
    errors=(401, 403, 404, 409, 422),
)
async def post_run_cancel(db: Db, context: Context, id: RunId, body: CancelBody | None = None) -> RunDetails:
    """Begin no further request for the run. Its state is `cancelling` until its last requests are written."""
    settings, why = context.settings, (body or CancelBody()).reason
    return await cancel_run(
        db, id, settings.frontier, settings.fetch.timeout_s, why, wait_s=0.0, forces_end=False
    )
