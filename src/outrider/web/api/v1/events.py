"""`/api/v1/events`: what happened, for clients that poll (SSE-12)."""

from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.services.operations.events import DEFAULT_EVENTS, MOST_EVENTS, EventList, list_events
from outrider.web.dependencies import Db
from outrider.web.router import ApiRouter

router = ApiRouter("events")


@router.get(
    "/api/v1/events",
    Role.USER,
    summary="List what happened after a position",
    result=EventList,
    errors=(400, 401, 403),
    example={
        "items": [
            {
                "position": "5a0c1f3e.7711.42",
                "type": "job:status",
                "data": {"job_id": "0b0e…", "status": "running", "at": "2026-01-01T12:00:00+00:00"},
            }
        ],
        "next": "5a0c1f3e.7711.42",
        "reset": False,
        "more": False,
    },
)
async def get_events(
    db: Db,
    after: Annotated[
        str | None, Query(max_length=200, description="A position: `next` of the answer before.")
    ] = None,
    types: Annotated[
        list[str] | None, Query(max_length=50, description="Only these, such as `job:status,job:progress`.")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS, description="Events of an answer.")] = DEFAULT_EVENTS,
) -> EventList:
    """The same events as in the stream `/sse/crawler/events`, for clients that ask every few seconds.

    Without `after` there are no events, and `next` is the position of now.
    """
    return await list_events(db, after, types or (), limit)
