"""`/api/v1/sources`: list, create, read, change and delete sources (API-67 to API-69)."""

from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.services.paging import ListPage
from outrider.services.sources.lists import (
    ListedSource,
    SourceDetails,
    list_named_source,
    list_sources,
    show_source,
)
from outrider.services.sources.sources import remove_source
from outrider.services.sources.view import SourceView, create_source, read_source, update_source
from outrider.sources.model import Mode, SourceFilter, SourceSort
from outrider.web.api.v1.ids import SourceId
from outrider.web.api.v1.shapes.sources import ListedSourceShape, SourceDetailsShape, SourceShape
from outrider.web.api.v1.sorting import SortOrder
from outrider.web.api.v1.source_bodies import NewSourceBody, SourceChangeBody
from outrider.web.dependencies import Context, Db, Paging
from outrider.web.if_match import IfMatch
from outrider.web.router import ApiRouter

router = ApiRouter("sources")


@router.get(
    "/api/v1/sources",
    Role.USER,
    summary="List sources",
    result=ListPage[ListedSourceShape],
    errors=(400, 401, 404, 422),
    has_position=True,
)
async def get_sources(
    db: Db,
    paging: Paging,
    search: Annotated[str, Query(max_length=500, description="Text in name, address or label.")] = "",
    enabled: Annotated[bool | None, Query(description="Only enabled or only disabled ones.")] = None,
    mode: Annotated[Mode | None, Query(description="How their pages are found.")] = None,
    label: Annotated[str | None, Query(max_length=200, description="A label that they have.")] = None,
    feed_active: Annotated[bool | None, Query(description="Whether they have a working feed.")] = None,
    silent: Annotated[bool, Query(description="Only those in mode feed without a feed or sitemap.")] = False,
    failing: Annotated[bool, Query(description="Only those with a feed whose last poll failed.")] = False,
    sort_by: Annotated[SourceSort, Query(description="What the list is sorted by.")] = SourceSort.NAME,
    sort_order: Annotated[SortOrder, Query(description="The direction.")] = SortOrder.ASC,
    named: Annotated[
        str, Query(max_length=8_000, description="Name, number, id or address of the one source.")
    ] = "",
) -> ListPage[ListedSource]:
    """Sources with their feeds, pages and queued URLs in numbers. With `named` it is one source, whatever the
    filters are."""
    if named:
        return await list_named_source(db, named, paging)
    descending = sort_order is SortOrder.DESC
    wanted = SourceFilter(search, enabled, mode, feed_active, silent, failing, label, sort_by, descending)
    return await list_sources(db, wanted, paging)


@router.post(
    "/api/v1/sources",
    Role.ADMIN,
    summary="Create a source",
    result=SourceShape,
    status=201,
    creates="/id",
    action="source.create",
    errors=(400, 401, 403, 409, 422),
)
async def post_source(db: Db, context: Context, body: NewSourceBody) -> SourceView:
    """Watch a site from now on. Its job follows within seconds.

    Without `feed` and `sitemap`, workers search the site for them.
    """
    return await create_source(
        db,
        body.changes(),
        context.settings.frontier,
        force=body.force,
        search_notes=body.search_notes,
        dry_run=body.dry_run,
    )


@router.get(
    "/api/v1/sources/{id}",
    Role.USER,
    summary="Show a source",
    result=SourceShape,
    errors=(401, 404, 422),
    has_position=True,
)
async def get_source(db: Db, id: SourceId) -> SourceView:
    """The source as it was set up. Its `ETag` can be sent as `If-Match` with a change."""
    return await read_source(db, id)


@router.get(
    "/api/v1/sources/{id}/details",
    Role.USER,
    summary="Show a source with its feeds, figures and job",
    result=SourceDetailsShape,
    errors=(401, 404, 422),
    has_position=True,
)
async def get_source_details(db: Db, id: SourceId) -> SourceDetails:
    """The source with its feeds and sitemaps, its figures, and the job that follows it."""
    return await show_source(db, id)


@router.put(
    "/api/v1/sources/{id}",
    Role.ADMIN,
    summary="Change a source",
    result=SourceShape,
    action="source.update",
    errors=(400, 401, 403, 404, 409, 412, 422),
)
async def put_source(
    db: Db,
    context: Context,
    check: IfMatch,
    id: SourceId,
    body: SourceChangeBody,
    dry_run: Annotated[bool, Query(description="Say what would change, and change nothing.")] = False,
) -> SourceView:
    """Change fields of a source; null resets a field to its default. Queued URLs stay queued."""
    return await update_source(db, id, body.changes(), context.settings.frontier, check, dry_run=dry_run)


@router.delete(
    "/api/v1/sources/{id}",
    Role.ADMIN,
    summary="Delete a source",
    status=204,
    action="source.delete",
    errors=(401, 403, 404, 422),
)
async def delete_source(db: Db, context: Context, id: SourceId) -> None:
    """Stop watching a source. Its pages and its history stay."""
    await remove_source(db, id, context.settings.frontier)
