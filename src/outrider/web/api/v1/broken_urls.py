"""Broken URLs of a site: review, resolve and ignore them (API-94 to API-96)."""

from enum import StrEnum
from typing import Annotated

from fastapi import Path, Query
from pydantic import Field

from outrider.auth.model import Role
from outrider.redirects.broken_store import BrokenStatus, BrokenUrl
from outrider.services.paging import ListPage
from outrider.services.sites.broken_urls import ignore_broken, list_broken, resolve_broken
from outrider.web.api.v1.ids import SiteId
from outrider.web.api.v1.parameters import LONGEST_URL
from outrider.web.api.v1.shapes.sites import BrokenUrlShape
from outrider.web.dependencies import Caller, Db, Paging, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("broken pages of sites")

BrokenId = Annotated[int, Path(ge=1, le=2**63 - 1, description="The number of the broken URL.")]


class BrokenStatusFilter(StrEnum):
    """Which broken URLs to list."""

    PENDING = "pending"
    RESOLVED = "resolved"
    IGNORED = "ignored"
    ALL = "all"

    @property
    def status(self) -> BrokenStatus | None:
        return None if self is BrokenStatusFilter.ALL else BrokenStatus(self.value)


class ResolveBody(RequestBody):
    """Where visitors of a broken URL are sent. Without `to` it is the best suggestion."""

    to: Annotated[str | None, Field(min_length=1, max_length=LONGEST_URL)] = None
    external: Annotated[bool, Field(description="Allow a target on another site.")] = False


@router.get(
    "/api/v1/sites/{id}/broken-urls",
    Role.USER,
    summary="List broken URLs",
    result=ListPage[BrokenUrlShape],
    errors=(401, 404, 422),
)
async def get_broken_urls(
    db: Db,
    paging: Paging,
    id: SiteId,
    status: Annotated[
        BrokenStatusFilter, Query(description="Only with this status; `all` lists every one.")
    ] = BrokenStatusFilter.PENDING,
) -> ListPage[BrokenUrl]:
    """Paths that had visitors and answer 404 now, those that lost the most visitors first."""
    return await list_broken(db, id, paging, status.status)


@router.post(
    "/api/v1/sites/{id}/broken-urls/{bid}/resolve",
    Role.ADMIN,
    summary="Redirect a broken URL",
    result=BrokenUrlShape,
    action="broken_url.resolve",
    errors=(400, 401, 403, 404, 409, 422),
    example={"to": "/shoes/crimson"},
)
async def post_broken_url_resolve(
    db: Db, caller: Caller, id: SiteId, bid: BrokenId, body: ResolveBody | None = None
) -> BrokenUrl:
    """Create the redirect and mark the broken URL resolved."""
    wanted = body or ResolveBody()
    return await resolve_broken(db, id, bid, wanted.to, caller.name, may_leave=wanted.external)


@router.post(
    "/api/v1/sites/{id}/broken-urls/{bid}/ignore",
    Role.ADMIN,
    summary="Ignore a broken URL",
    result=BrokenUrlShape,
    action="broken_url.ignore",
    errors=(401, 403, 404, 422),
)
async def post_broken_url_ignore(db: Db, id: SiteId, bid: BrokenId) -> BrokenUrl:
    """Remember that it does not matter: further 404s do not reopen it."""
    return await ignore_broken(db, id, bid)
