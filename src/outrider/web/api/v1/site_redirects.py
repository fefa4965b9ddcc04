"""Redirects of a site: list, create, change, delete and resolve them (API-86 to API-89)."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import Field
from typing_extensions import TypedDict

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.redirects.model import RedirectSort, RedirectSource
from outrider.services.paging import ListPage
from outrider.services.sites.redirects import (
    RedirectDetails,
    RedirectEdit,
    RedirectFilter,
    RedirectRequest,
    Resolution,
    change_redirect,
    create_redirect,
    list_redirects,
    remove_redirect,
    resolve_path,
)
from outrider.web.api.v1.ids import SiteId
from outrider.web.api.v1.parameters import LONGEST_URL, SearchQuery
from outrider.web.dependencies import Caller, Db, Paging, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("redirects of sites")

RedirectId = Annotated[int, Path(ge=1, le=2**63 - 1, description="The number of the redirect.")]
Target = Annotated[str, Field(min_length=1, max_length=LONGEST_URL)]
Status = Annotated[int, Field(ge=301, le=410)]
External = Annotated[bool, Field(description="Allow a target on another site.")]
ConfirmRoot = Annotated[bool, Field(description="Confirm a redirect of the home page.")]


class ResolutionShape(TypedDict):
    """What the middleware answers for a path; without a status it lets the application answer."""

    path: str
    status: int | None
    location: str | None
    reason: str


class NewRedirectBody(RequestBody):
    """A redirect to create. Without a target the answer is 410."""

    from_path: Annotated[str, Field(min_length=1, max_length=LONGEST_URL)]
    to: Target | None = None
    status: Status = 301
    external: External = False
    confirm_root: ConfirmRoot = False


class RedirectChangeBody(RequestBody):
    """What changes about a redirect. A field that is left out stays as it is."""

    to: Target | None = None
    status: Status | None = None
    external: External = False
    confirm_root: ConfirmRoot = False

    def edit(self) -> RedirectEdit:
        if self.to is None and self.status is None:
            raise InvalidInput("say what changes: give `to` or `status`")
        return RedirectEdit(self.to, self.status, self.external, self.confirm_root)


@router.get(
    "/api/v1/sites/{id}/redirects",
    Role.USER,
    summary="List the redirects of a site",
    result=ListPage[RedirectDetails],
    errors=(401, 404, 422),
)
async def get_site_redirects(
    db: Db,
    paging: Paging,
    id: SiteId,
    source: Annotated[RedirectSource | None, Query(description="What created them.")] = None,
    search: SearchQuery = None,
    sort_by: Annotated[
        RedirectSort, Query(description="What the list is sorted by.")
    ] = RedirectSort.FROM_PATH,
) -> ListPage[RedirectDetails]:
    """Redirects with what created them, their hits and the confidence of detected ones."""
    return await list_redirects(db, id, RedirectFilter(source, search), paging, sort_by)


@router.post(
    "/api/v1/sites/{id}/redirects",
    Role.ADMIN,
    summary="Create a redirect",
    result=RedirectDetails,
    status=201,
    creates="/id",
    action="redirect.create",
    errors=(400, 401, 403, 404, 409, 422),
    example={"from_path": "/sale", "to": "/shoes", "status": 302},
)
async def post_site_redirect(db: Db, caller: Caller, id: SiteId, body: NewRedirectBody) -> RedirectDetails:
    """Create a redirect. It is flattened to one hop; one that hides a page or forms a loop is refused."""
    wanted = RedirectRequest(body.from_path, body.to, body.status, body.external, body.confirm_root)
    return await create_redirect(db, id, wanted, caller.name)


@router.patch(
    "/api/v1/sites/{id}/redirects/{rid}",
    Role.ADMIN,
    summary="Change a redirect",
    result=RedirectDetails,
    action="redirect.update",
    errors=(400, 401, 403, 404, 409, 422),
)
async def patch_site_redirect(
    db: Db, caller: Caller, id: SiteId, rid: RedirectId, body: RedirectChangeBody
) -> RedirectDetails:
    """Give a redirect another target or code. Loops and chains are checked again."""
    return await change_redirect(db, id, str(rid), body.edit(), caller.name)


@router.delete(
    "/api/v1/sites/{id}/redirects/{rid}",
    Role.ADMIN,
    summary="Delete a redirect",
    status=204,
    action="redirect.delete",
    errors=(401, 403, 404, 422),
)
async def delete_site_redirect(db: Db, caller: Caller, id: SiteId, rid: RedirectId) -> None:
    """Remove a redirect. Its broken URL is opened again."""
    await remove_redirect(db, id, str(rid), caller.name)


@router.get(
    "/api/v1/sites/{id}/resolve",
    Role.USER,
    also=(Role.SITE,),
    summary="Resolve a path",
    result=ResolutionShape,
    errors=(400, 401, 403, 404, 422),
)
async def get_site_resolve(
    db: Db,
    id: SiteId,
    path: Annotated[
        str, Query(min_length=1, max_length=LONGEST_URL, description="The path, with its query.")
    ],
) -> Resolution:
    """What the middleware would answer, for sites that are not written in Python."""
    return await resolve_path(db, id, path)
