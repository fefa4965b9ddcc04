"""Links in the content of a site: save, list, check, ignore and replace them (API-97 to API-101)."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Path, Query
from pydantic import Field
from starlette.requests import Request

from outrider.auth.model import Role
from outrider.links.monitor.hrefs import LONGEST_KEY, MOST_LINKS
from outrider.links.monitor.model import LinkKind, LinkType, LinkUpdate, StoredLink, StoredLinkStatus
from outrider.services.paging import ListPage
from outrider.services.sites.content_links import save_field_by_name
from outrider.services.sites.links import (
    LinkDetails,
    SavedField,
    StoredLinkFilter,
    apply_link,
    check_link_now,
    ignore_link,
    link_details,
    list_site_links,
    requested_updates,
)
from outrider.services.sites.sites import find_site
from outrider.sites.model import OwnedSite
from outrider.web.api.v1.ids import SiteId
from outrider.web.api.v1.shapes.sites import LinkDetailsShape, SavedFieldShape, StoredLinkShape
from outrider.web.dependencies import Db, Paging, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("links of sites")

LONGEST_LINK = 8_000
LinkId = Annotated[int, Path(ge=1, le=2**63 - 1, description="The number of the link.")]
SourceKey = Annotated[
    str,
    Path(
        min_length=1,
        max_length=LONGEST_KEY,
        description="The content field, such as `nav.about`; percent-encode `/`, `#` and `?`.",
    ),
]


async def _site(db: Db, id: SiteId) -> OwnedSite:
    return await find_site(db, id)


Site = Annotated[OwnedSite, Depends(_site)]


class FieldLinksBody(RequestBody):
    """The links of a content field."""

    links: Annotated[list[Annotated[str, Field(max_length=LONGEST_LINK)]], Field(max_length=10 * MOST_LINKS)]
    edit_url: Annotated[
        str | None, Field(max_length=2_000, pattern=r"^https?://", description="Where the field is edited.")
    ] = None
    kind: Annotated[
        LinkKind | None,
        Field(description="What the field is. Without it the name of the field says so: `nav.`, `footer`, …"),
    ] = None


class IgnoreBody(RequestBody):
    """Whether the link is ignored."""

    ignored: bool = True


class ReplaceBody(RequestBody):
    """The new address. Without it the address is taken that the link moved to."""

    to: Annotated[str | None, Field(min_length=1, max_length=2_000)] = None


@router.get(
    "/api/v1/sites/{id}/links",
    Role.USER,
    summary="List the links of a site",
    result=ListPage[StoredLinkShape],
    errors=(401, 404, 422),
)
async def get_site_links(
    db: Db,
    paging: Paging,
    site: Site,
    status: Annotated[StoredLinkStatus | None, Query(description="Only with this status.")] = None,
    type: Annotated[LinkType | None, Query(description="Only within the site, or only to others.")] = None,
    ignored: Annotated[bool, Query(description="List ignored links, too.")] = False,
) -> ListPage[StoredLink]:
    """Stored links: dead first, then moved, then unchecked."""
    return await list_site_links(db, site.site_id, StoredLinkFilter(status, type, ignored), paging)


@router.get(
    "/api/v1/sites/{id}/links/updates",
    Role.USER,
    also=(Role.SITE,),
    summary="List requested replacements",
    result=Sequence[LinkUpdate],
    errors=(401, 403, 404, 422),
)
async def get_site_link_updates(db: Db, site: Site) -> Sequence[LinkUpdate]:
    """The replacements that the system of the owner has yet to make, oldest first.

    A replacement leaves the list when its field is saved without the old address.
    """
    return await requested_updates(db, site.site_id)


@router.get(
    "/api/v1/sites/{id}/links/{lid}",
    Role.USER,
    summary="Show a link with its evidence",
    result=LinkDetailsShape,
    errors=(401, 404, 422),
)
async def get_site_link(db: Db, site: Site, lid: LinkId) -> LinkDetails:
    """The link with its checks, what each server answered, and the addresses that may replace it."""
    return await link_details(db, site.site_id, lid)


@router.put(
    "/api/v1/sites/{id}/links/{source_key:path}",
    Role.ADMIN,
    also=(Role.SITE,),
    summary="Save the links of a content field",
    result=SavedFieldShape,
    action="link.save",
    errors=(400, 401, 403, 404, 405, 413, 422),
    example={"links": ["/shoes", "https://example.org/"], "edit_url": "https://cms.example/nav"},
)
async def put_site_links(
    db: Db, request: Request, id: SiteId, source_key: SourceKey, body: FieldLinksBody
) -> SavedField:
    """Replace the links of one field. Links within the site are judged in the answer, others are queued."""
    request.state.after = {"source_key": source_key, "links": len(body.links)}
    return await save_field_by_name(db, id, source_key, body.links, body.edit_url, body.kind)


@router.post(
    "/api/v1/sites/{id}/links/{lid}/check",
    Role.ADMIN,
    summary="Check a link now",
    result=StoredLinkShape,
    status=202,
    action="link.check",
    errors=(401, 403, 404, 409, 422),
)
async def post_site_link_check(db: Db, site: Site, lid: LinkId) -> StoredLink:
    """Queue a check before all others. A worker makes it; the link shows the result."""
    return await check_link_now(db, site.site_id, lid)


@router.post(
    "/api/v1/sites/{id}/links/{lid}/ignore",
    Role.ADMIN,
    summary="Ignore a link",
    result=StoredLinkShape,
    action="link.ignore",
    errors=(401, 403, 404, 422),
)
async def post_site_link_ignore(
    db: Db, site: Site, lid: LinkId, body: IgnoreBody | None = None
) -> StoredLink:
    """Leave a link out of lists and of the badge until it works again; `ignored: false` ends that."""
    return await ignore_link(db, site.site_id, lid, is_ignored=(body or IgnoreBody()).ignored)


@router.post(
    "/api/v1/sites/{id}/links/{lid}/apply",
    Role.ADMIN,
    summary="Ask the owner to replace a link",
    result=LinkUpdate,
    action="link.apply",
    errors=(400, 401, 403, 404, 409, 422),
)
async def post_site_link_apply(
    db: Db, site: Site, lid: LinkId, body: ReplaceBody | None = None
) -> LinkUpdate:
    """Accept the new address. The row changes when the system of the owner saves the field again."""
    return await apply_link(db, site.site_id, lid, (body or ReplaceBody()).to)
