"""`/api/v1/discovered-links`: links that lead out of their source (API-54 to API-57)."""

from typing import Annotated

from fastapi import Path, Query

from outrider.auth.model import Role
from outrider.services.discovered.changes import (
    LinkJob,
    create_link_job,
    read_link_key,
    remove_link,
    show_link,
)
from outrider.services.discovered.lists import list_links
from outrider.services.paging import CursorPage
from outrider.watch.discovery.outside_links import DiscoveredLink, LinkFilter, LinkStatus
from outrider.web.api.v1.parameters import LONGEST_HOST, SearchQuery, SourceQuery
from outrider.web.api.v1.sorting import SortOrder
from outrider.web.dependencies import Context, CursorPaging, Db
from outrider.web.router import ApiRouter

router = ApiRouter("discovered")

LinkId = Annotated[
    str,
    Path(
        max_length=80,
        pattern=r"^[0-9]{1,9}:-?[0-9]{1,19}:[0-9a-f]{32}$",
        description="The id of a link, as lists give it.",
    ),
]


@router.get(
    "/api/v1/discovered-links",
    Role.USER,
    summary="List the discovered links",
    result=CursorPage[DiscoveredLink],
    errors=(400, 404),
)
async def get_discovered_links(
    db: Db,
    paging: CursorPaging,
    status: LinkStatus | None = None,
    domain: Annotated[str | None, Query(min_length=1, max_length=LONGEST_HOST)] = None,
    source_id: SourceQuery = None,
    search: SearchQuery = None,
    sort_order: Annotated[SortOrder, Query(description="Of the time of discovery.")] = SortOrder.DESC,
) -> CursorPage[DiscoveredLink]:
    """Links from sources to other sites, the latest first. `search` is a part of the URL."""
    is_reversed = sort_order is SortOrder.ASC
    wanted = LinkFilter(status, domain, source_id, search or "", is_reversed=is_reversed)
    return await list_links(db, wanted, paging)


@router.get(
    "/api/v1/discovered-links/{id}",
    Role.USER,
    summary="Show one discovered link",
    result=DiscoveredLink,
    errors=(404,),
)
async def get_discovered_link(db: Db, id: LinkId) -> DiscoveredLink:
    """One link from a source to another site."""
    return await show_link(db, read_link_key(id))


@router.delete(
    "/api/v1/discovered-links/{id}",
    Role.ADMIN,
    summary="Remove a discovered link",
    status=204,
    action="discovered_link.remove",
    errors=(404,),
)
async def delete_discovered_link(db: Db, id: LinkId) -> None:
    """Forget a link. A worker that meets it again records it again; ignore its domain to prevent that."""
    await remove_link(db, read_link_key(id))


@router.post(
    "/api/v1/discovered-links/{id}/create-job",
    Role.ADMIN,
    summary="Make a job of a discovered link",
    result=LinkJob,
    status=201,
    action="discovered_link.create_job",
    errors=(404, 409),
)
async def post_link_job(db: Db, context: Context, id: LinkId) -> LinkJob:
    """Fetch the link with a job that runs once, now. A host without a source becomes one. The link is
    `processing` from then on.
    """
    settings = context.settings
    return await create_link_job(db, read_link_key(id), settings.frontier, settings.jobs)
