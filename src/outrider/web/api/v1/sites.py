"""`/api/v1/sites`: owned sites, their settings, keys and badge counts (API-83, API-102)."""

from typing import Annotated, Any

from pydantic import Field

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.paging import ListPage
from outrider.services.sites.sites import (
    MOST_HOSTS,
    SiteChanges,
    SiteRequest,
    SiteSummary,
    SiteWithKey,
    add_site,
    change_site,
    find_site,
    list_sites,
    remove_site,
    rotate_key,
    show_site,
)
from outrider.sites.model import OwnedSite
from outrider.web.api.v1.ids import SiteId
from outrider.web.api.v1.shapes.sites import SiteShape, SiteSummaryShape, SiteWithKeyShape
from outrider.web.dependencies import Caller, Db, Paging, RequestBody
from outrider.web.if_match import IfMatch
from outrider.web.router import ApiRouter

router = ApiRouter("sites")

LONGEST_GRACE_S = 30 * 86_400
Hosts = Annotated[list[Annotated[str, Field(min_length=1, max_length=253)]], Field(max_length=MOST_HOSTS)]
SiteFields = Annotated[dict[str, Any], Field(max_length=50, description="Settings by their names.")]


class NewSiteBody(RequestBody):
    """A site to register."""

    name: Annotated[str, Field(min_length=1, max_length=63)]
    base_url: Annotated[str, Field(min_length=1, max_length=2_000)]
    hosts: Annotated[Hosts, Field(description="Hosts besides that of the base URL.")] = []  # noqa: RUF012
    settings: SiteFields = {}  # noqa: RUF012


class SiteChangeBody(RequestBody):
    """What changes about a site. A field that is left out stays as it is."""

    name: Annotated[str | None, Field(min_length=1, max_length=63)] = None
    base_url: Annotated[str | None, Field(min_length=1, max_length=2_000)] = None
    hosts: Hosts | None = None
    settings: SiteFields = {}  # noqa: RUF012
    update_webhook: Annotated[
        str | None,
        Field(max_length=2_000, description="Where replacements of links are sent; null sends none."),
    ] = None

    def changes(self) -> SiteChanges:
        if not self.model_fields_set:
            raise InvalidInput("say what changes: name at least one field")
        webhook = self.update_webhook or "" if "update_webhook" in self.model_fields_set else None
        return SiteChanges(self.name, self.base_url, self.hosts, self.settings, webhook)


class NewKeyBody(RequestBody):
    """How long the present key stays valid."""

    grace_s: Annotated[float, Field(ge=0, le=LONGEST_GRACE_S, allow_inf_nan=False)] = 3_600.0


@router.get(
    "/api/v1/sites", Role.USER, summary="List owned sites", result=ListPage[SiteShape], errors=(401, 422)
)
async def get_sites(db: Db, paging: Paging) -> ListPage[OwnedSite]:
    """All sites, by name."""
    return await list_sites(db, paging)


@router.post(
    "/api/v1/sites",
    Role.ADMIN,
    summary="Register a site",
    result=SiteWithKeyShape,
    status=201,
    creates="/site/id",
    action="site.create",
    is_secret=True,
    errors=(400, 401, 403, 409, 422),
    example={"name": "shop", "base_url": "https://shop.example"},
)
async def post_site(db: Db, body: NewSiteBody) -> SiteWithKey:
    """Register a site that you own. The answer has its key, which is not shown again."""
    return await add_site(db, SiteRequest(body.name, body.base_url, body.hosts, body.settings))


@router.get("/api/v1/sites/{id}", Role.USER, summary="Show a site", result=SiteShape, errors=(401, 404, 422))
async def get_site(db: Db, id: SiteId) -> OwnedSite:
    """The site as it was set up. Its `ETag` can be sent as `If-Match` with a change."""
    return await find_site(db, id)


@router.patch(
    "/api/v1/sites/{id}",
    Role.ADMIN,
    summary="Change a site",
    result=SiteShape,
    action="site.update",
    errors=(400, 401, 403, 404, 409, 412, 422),
)
async def patch_site(db: Db, caller: Caller, check: IfMatch, id: SiteId, body: SiteChangeBody) -> OwnedSite:
    """Change fields and settings. Other rules for paths rewrite the inventory and the redirects."""
    return await change_site(db, id, body.changes(), caller.name, check)


@router.delete(
    "/api/v1/sites/{id}",
    Role.ADMIN,
    summary="Remove a site",
    status=204,
    action="site.delete",
    errors=(401, 403, 404, 422),
)
async def delete_site(db: Db, id: SiteId) -> None:
    """Remove a site with its redirects, page views, broken URLs and links."""
    await remove_site(db, id)


@router.post(
    "/api/v1/sites/{id}/key",
    Role.ADMIN,
    summary="Make a new key",
    result=SiteWithKeyShape,
    action="site.key",
    is_secret=True,
    errors=(400, 401, 403, 404, 422),
)
async def post_site_key(db: Db, id: SiteId, body: NewKeyBody | None = None) -> SiteWithKey:
    """Give the programs of a site a new key, shown once. The present one stays valid for `grace_s`."""
    return await rotate_key(db, id, (body or NewKeyBody()).grace_s)


@router.get(
    "/api/v1/sites/{id}/summary",
    Role.USER,
    summary="Show the badge counts of a site",
    result=SiteSummaryShape,
    errors=(401, 404, 422),
)
async def get_site_summary(db: Db, id: SiteId) -> SiteSummary:
    """Dead links, moved links and pending broken URLs, with the figures of the redirects."""
    return await show_site(db, id)
