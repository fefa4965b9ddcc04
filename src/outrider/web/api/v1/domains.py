"""`/api/v1/domains`: hosts, their robots.txt, and what an operator changes (API-26 to API-30)."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Query
from pydantic import Field
from starlette.requests import Request

from outrider.auth.model import Role
from outrider.hosts.model import BreakerState
from outrider.hosts.options import LONGEST_DELAY_MS
from outrider.hosts.view import HostFilter, HostOrder
from outrider.services.hosts.changes import (
    HostAccess,
    HostChanges,
    HostRequests,
    change_host,
    lock_host,
    read_host_requests,
)
from outrider.services.hosts.hosts import (
    LONGEST_REASON,
    HostDetails,
    HostSummary,
    list_hosts,
    reset_host,
    show_host,
)
from outrider.services.hosts.robots import HostRobots, read_host_robots
from outrider.services.paging import CursorPage
from outrider.web.answers import check_if_match
from outrider.web.api.v1.parameters import HostPath, SearchQuery
from outrider.web.api.v1.shapes.domains import HostRobotsShape
from outrider.web.dependencies import Context, CursorPaging, Db, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("domains")


class HostPatch(RequestBody):
    """What to change at a host. A field that is left out stays as it is."""

    delay_ms: Annotated[
        int | None, Field(ge=0, le=LONGEST_DELAY_MS, description="null: that of robots.txt or the default.")
    ] = None
    state: HostAccess | None = None
    reason: Annotated[str, Field(max_length=LONGEST_REASON, description="Why it is blocked.")] = ""

    def changes(self) -> HostChanges:
        return HostChanges(self.state, self.reason, "delay_ms" in self.model_fields_set, self.delay_ms)


@router.get(
    "/api/v1/domains",
    Role.USER,
    summary="List the hosts",
    result=CursorPage[HostSummary],
    errors=(400,),
    has_position=True,
)
async def get_hosts(
    db: Db,
    paging: CursorPaging,
    search: SearchQuery = None,
    blocked: bool | None = None,
    breaker: BreakerState | None = None,
    sort_by: HostOrder = HostOrder.PAGES,
) -> CursorPage[HostSummary]:
    """Hosts with their pages, delay, block and circuit breaker, the greatest value first."""
    return await list_hosts(db, sort_by, paging, HostFilter(search and search.lower(), blocked, breaker))


@router.get(
    "/api/v1/domains/{domain}",
    Role.USER,
    summary="Show one host",
    result=HostDetails,
    errors=(404,),
    has_position=True,
)
async def get_host(db: Db, domain: HostPath) -> HostDetails:
    """Everything about one host. Its `ETag` changes with every request that a worker makes to the host."""
    return await show_host(db, domain)


@router.get(
    "/api/v1/domains/{domain}/robots",
    Role.USER,
    summary="Show the robots.txt of a host",
    result=HostRobotsShape,
    errors=(404,),
)
async def get_host_robots(
    db: Db,
    domain: HostPath,
    path: Annotated[str | None, Query(max_length=2_000, description="Test this path.")] = None,
) -> HostRobots:
    """The stored files with their age and delay, and whether `path` may be fetched, by which rule."""
    return await read_host_robots(db, domain, path)


@router.get(
    "/api/v1/domains/{domain}/requests",
    Role.USER,
    summary="Show the requests to a host over time",
    result=HostRequests,
    errors=(400, 404),
)
async def get_host_requests(
    db: Db,
    domain: HostPath,
    hours: Annotated[int, Query(ge=1, le=744, description="How far back.")] = 24,
    step_minutes: Annotated[int, Query(ge=1, le=1_440, description="Minutes of a step.")] = 60,
) -> HostRequests:
    """Requests, answers, failures and response times in steps of time, from the request log."""
    span, step = timedelta(hours=hours), timedelta(minutes=step_minutes)
    return await read_host_requests(db, domain, span, step, datetime.now(UTC))


@router.patch(
    "/api/v1/domains/{domain}",
    Role.ADMIN,
    summary="Change a host",
    result=HostDetails,
    action="host.change",
    errors=(400, 404, 412),
)
async def patch_host(
    db: Db, context: Context, request: Request, domain: HostPath, body: HostPatch
) -> HostDetails:
    """Set the delay, allow or block. A block needs a reason; robots.txt may ask for a longer delay."""
    current = await lock_host(db, domain)
    if current is not None:
        check_if_match(request, current)
    return await change_host(db, domain, body.changes(), context.settings.hosts)


@router.post(
    "/api/v1/admin/domains/{domain}/reset",
    Role.ADMIN,
    summary="Reset a host",
    result=HostDetails,
    action="host.reset",
    errors=(404,),
)
async def post_host_reset(db: Db, domain: HostPath) -> HostDetails:
    """Lift block and penalty, close the circuit breaker, and have robots.txt fetched again."""
    return await reset_host(db, domain)
