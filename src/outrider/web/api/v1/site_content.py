"""What a site tells about its pages: events and the inventory of live paths (API-84, API-85)."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Query
from pydantic import Field
from starlette.requests import Request

from outrider.auth.model import Role
from outrider.redirects.events import LONGEST_TITLE, ContentEvent, ContentEventKind, EventResult
from outrider.services.sites.content import (
    MOST_EVENTS,
    MOST_PATHS,
    InventoryResult,
    put_paths,
    receive_events,
)
from outrider.sites.model import LivePath, PathKind
from outrider.web.api.v1.ids import SiteId
from outrider.web.dependencies import Caller, Db, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("sites")

LONGEST = 8_000  # characters of a path with percent-encoding
PathText = Annotated[str, Field(min_length=1, max_length=LONGEST)]


class EventBody(RequestBody):
    """Something that happened to a page."""

    kind: ContentEventKind
    path: PathText
    new_path: Annotated[PathText | None, Field(description="Where the page is now, if it moved.")] = None
    title: Annotated[str | None, Field(max_length=LONGEST_TITLE)] = None
    parent: Annotated[PathText | None, Field(description="The page above it, such as a category.")] = None
    item_kind: PathKind | None = None
    status: Annotated[str | None, Field(max_length=100)] = None
    event_id: Annotated[
        str | None, Field(min_length=1, max_length=200, description="An event with the same id counts once.")
    ] = None

    def event(self) -> ContentEvent:
        return ContentEvent(**{name: getattr(self, name) for name in type(self).model_fields})


class EventsBody(RequestBody):
    """Events in their order. They are applied all or none."""

    events: Annotated[list[EventBody], Field(min_length=1, max_length=MOST_EVENTS)]


class LivePathBody(RequestBody):
    """A page of the inventory."""

    path: PathText
    kind: PathKind = PathKind.ITEM
    title: Annotated[str, Field(max_length=LONGEST_TITLE)] = ""
    parent: PathText | None = None
    is_visible: bool = True
    status: Annotated[str, Field(max_length=100)] = ""

    def page(self) -> LivePath:
        return LivePath(**{name: getattr(self, name) for name in type(self).model_fields})


class PathsBody(RequestBody):
    """Live paths: texts, or objects with more about the page."""

    paths: Annotated[list[PathText | LivePathBody], Field(max_length=MOST_PATHS)]


@router.post(
    "/api/v1/sites/{id}/events",
    Role.ADMIN,
    also=(Role.SITE,),
    summary="Report events of pages",
    result=Sequence[EventResult],
    action="site.events",
    errors=(400, 401, 403, 404, 413, 422),
    example={"kind": "renamed", "path": "/shoes/red", "new_path": "/shoes/crimson", "event_id": "4711"},
)
async def post_site_events(
    db: Db, request: Request, caller: Caller, id: SiteId, body: EventsBody | EventBody
) -> list[EventResult]:
    """Tell that pages were created, renamed, deleted, hidden or shown.

    The body is one event, or `events` with up to 1,000 of them, which are applied all or none.
    An event whose `event_id` came before changes nothing.
    """
    events = body.events if isinstance(body, EventsBody) else [body]
    request.state.after = {"events": len(events)}
    return await receive_events(db, id, [each.event() for each in events], caller.name)


@router.put(
    "/api/v1/sites/{id}/paths",
    Role.ADMIN,
    also=(Role.SITE,),
    summary="Register live paths",
    result=InventoryResult,
    action="site.paths",
    errors=(400, 401, 403, 404, 413, 422),
    example={"paths": ["/", "/shoes", {"path": "/shoes/red", "title": "Red shoe", "parent": "/shoes"}]},
)
async def put_site_paths(
    db: Db,
    request: Request,
    caller: Caller,
    id: SiteId,
    body: PathsBody,
    merge: Annotated[bool, Query(description="Keep the paths that the body does not have.")] = False,
) -> InventoryResult:
    """Replace the inventory of live paths, or add to it. Redirects from live paths are removed."""
    paths = [LivePath(each) if isinstance(each, str) else each.page() for each in body.paths]
    request.state.after = {"paths": len(paths), "merge": merge}
    return await put_paths(db, id, paths, caller.name, replaces=not merge)
