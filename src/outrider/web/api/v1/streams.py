"""`/sse/…` and the streams of logs: live events (API-50, API-51, API-63, API-64, API-65)."""

from typing import Annotated

from fastapi import Header, Path, Query
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.events.position import Position
from outrider.run_logs.position import LogPosition
from outrider.services.jobs.jobs import find_job
from outrider.services.operations.events import read_event_types
from outrider.services.runs.runs import show_run
from outrider.web.dependencies import Context
from outrider.web.identity import STREAM_LIMIT
from outrider.web.router import ApiRouter
from outrider.web.streams.log_streams import LogStart
from outrider.web.streams.response import EventStream
from outrider.web.streams.streams import streams_of

router = ApiRouter("streams")

_EXAMPLE = 'id: 5a0c1f3e.7711.42\nevent: job:status\ndata: {"job_id":"…","status":"running"}\n\n'

After = Annotated[
    str | None, Query(max_length=200, description="Continue after this position, as a snapshot gives it.")
]
LastEventId = Annotated[
    str | None,
    Header(max_length=1_000, description="Continue after this event; it has priority over `after`."),
]
Types = Annotated[
    list[str] | None,
    Query(max_length=50, description="Only these events, such as `job:status,job:progress`."),
]
Token = Annotated[
    str | None, Query(max_length=8_000, description="A stream token, for clients that send no headers.")
]
JobName = Annotated[str, Path(max_length=200, description="The id or the number of a job.")]
RunName = Annotated[str, Path(max_length=20, description="The number of a run, or `last`.")]

_MORE = {
    "response_class": EventStream,
    "media": ("text/event-stream",),
    "needs_database": False,
    "limit": STREAM_LIMIT,
    "errors": (400, 401, 403, 503),
}


@router.get(
    "/sse/crawler/events",
    Role.USER,
    summary="Follow jobs, runs, sources and hosts",
    aliases=("/api/crawler/events",),
    example=_EXAMPLE,
    **_MORE,
)
async def crawler_events(
    context: Context,
    after: After = None,
    types: Types = None,
    token: Token = None,
    last_event_id: LastEventId = None,
) -> Response:
    """Server-sent events: `connected` first, then `job:status`, `job:progress`, `job:completed` and others.

    The id of an event is its position. `reset` says that events were lost: load the state anew.
    """
    wanted = read_event_types(types or ())
    try:
        position = None if last_event_id is None else Position.parse(last_event_id)
    except InvalidInput:  # a browser would send the same id again and again
        return await streams_of(context).events("crawler", None, wanted, is_lost=True)
    if position is None and after is not None:
        position = Position.parse(after)
    return await streams_of(context).events("crawler", position, wanted)


@router.get(
    "/sse/health/events",
    Role.USER,
    summary="Follow the health",
    aliases=("/api/health/events",),
    **_MORE,
)
async def health_events(
    context: Context, after: After = None, token: Token = None, last_event_id: LastEventId = None
) -> Response:
    """Server-sent events: `connected` first, then `health:status` now, at each change and now and then.

    Each event is the whole state, so a client that comes back gets the present one, whatever it saw before.
    """
    return await streams_of(context).health()


@router.get(
    "/sse/metrics/events",
    Role.USER,
    summary="Follow the figures",
    aliases=("/api/metrics/events",),
    **_MORE,
)
async def metrics_events(
    context: Context, after: After = None, token: Token = None, last_event_id: LastEventId = None
) -> Response:
    """Server-sent events: `connected` first, then `metrics:update` and one `pipeline:stage` for each stage.

    Each event is a whole state, as in the stream of the health.
    """
    return await streams_of(context).metrics()


@router.get(
    "/api/v1/jobs/{id}/logs/stream",
    Role.USER,
    summary="Follow the log of a job",
    **(_MORE | {"errors": (400, 401, 403, 404, 503)}),
)
async def job_log(
    context: Context,
    id: JobName,
    after: After = None,
    token: Token = None,
    last_event_id: LastEventId = None,
) -> Response:
    """Server-sent events `log:line`: the last 200 lines of the newest run, new ones, and those of later runs.

    `log:ended` comes after the last line of a run. Each line names its execution.
    """
    return await _log_of_job(context, id, after, last_event_id)


@router.get(
    "/api/v1/jobs/{id}/logs/stream/v2",
    Role.USER,
    summary="Follow the log of a job, with ids",
    **(_MORE | {"errors": (400, 401, 403, 404, 503)}),
)
async def job_log_v2(
    context: Context,
    id: JobName,
    after: After = None,
    token: Token = None,
    last_event_id: LastEventId = None,
) -> Response:
    """Like version 1: both read new lines from Redis where it is configured, and every line has its id."""
    return await _log_of_job(context, id, after, last_event_id)


@router.get(
    "/api/v1/runs/{id}/log/stream",
    Role.USER,
    summary="Follow the log of a run",
    **(_MORE | {"errors": (400, 401, 403, 404, 503)}),
)
async def run_log(
    context: Context,
    id: RunName,
    after: After = None,
    token: Token = None,
    last_event_id: LastEventId = None,
) -> Response:
    """Server-sent events `log:line`: the last 200 lines, then new ones, and `log:ended` in the end.

    204 to a client that has seen the end already: an `EventSource` stops asking then.
    """
    streams, start = streams_of(context), _log_start(after, last_event_id)
    async with context.connection() as db:
        run_id = (await show_run(db, id)).run_id
    if start.after is not None and start.after.run_id != run_id:
        raise InvalidInput(f"position {start.after} is not one of run {run_id}")
    if start.after is not None and await streams.logs.is_over(run_id, start.after):
        return Response(status_code=204)
    return streams.log_of_run(run_id, start)


async def _log_of_job(context: Context, job: str, after: str | None, last_event_id: str | None) -> Response:
    start = _log_start(after, last_event_id)
    async with context.connection() as db:
        job_id = (await find_job(db, job)).job.job_id
    return streams_of(context).log_of_job(job_id, start)


def _log_start(after: str | None, last_event_id: str | None) -> LogStart:
    if last_event_id is not None:
        try:
            return LogStart(LogPosition.parse(last_event_id))
        except InvalidInput:
            return LogStart(is_lost=True)
    return LogStart(None if after is None else LogPosition.parse(after))
