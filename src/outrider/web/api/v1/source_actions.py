"""Actions on sources: switch them and their feeds, change many, repair jobs (API-66, API-70, API-71)."""

from outrider.auth.model import Role
from outrider.jobs.reconcile import ReconcileCounts
from outrider.services.jobs.jobs import sync_jobs
from outrider.services.sources.bulk import SourceResults, change_sources
from outrider.services.sources.feeds import switch_feeds
from outrider.services.sources.lists import SourceChannels
from outrider.services.sources.view import SourceView, switch_source
from outrider.web.api.v1.ids import SourceId
from outrider.web.api.v1.shapes.sources import SourceChannelsShape, SourceShape
from outrider.web.api.v1.source_bodies import DisableBody, SourceBulkBody
from outrider.web.dependencies import Context, Db
from outrider.web.if_match import IfMatch
from outrider.web.router import ApiRouter

router = ApiRouter("sources")

_ERRORS = (400, 401, 403, 404, 409, 412, 422)


@router.post(
    "/api/v1/admin/sync-enabled-sources",
    Role.ADMIN,
    summary="Make sure that every enabled source has a job",
    result=ReconcileCounts,
    action="source.sync",
    in_transaction=False,
    errors=(401, 403),
)
async def post_sync_enabled_sources(db: Db, context: Context) -> ReconcileCounts:
    """Create missing jobs and resume paused ones (SRC-13). The list of sources is in the database itself."""
    return await sync_jobs(db, is_balanced=context.settings.jobs.balancing)


@router.post(
    "/api/v1/sources/bulk",
    Role.ADMIN,
    summary="Change many sources",
    result=SourceResults,
    action="source.bulk",
    in_transaction=False,
    errors=(400, 401, 403, 404, 422),
)
async def post_sources_bulk(db: Db, context: Context, body: SourceBulkBody) -> SourceResults:
    """Enable, disable, label or remove the selected sources, each in a transaction of its own.

    A source that refuses says why and stops no other. With `dry_run` every change is rolled back.
    """
    options = context.settings.frontier
    return await change_sources(db, body.selection, body.command, options, dry_run=body.dry_run)


@router.patch(
    "/api/v1/sources/{id}/enable",
    Role.ADMIN,
    summary="Enable a source",
    result=SourceShape,
    action="source.enable",
    errors=_ERRORS,
)
async def patch_source_enable(db: Db, context: Context, check: IfMatch, id: SourceId) -> SourceView:
    """Watch a disabled source again; its queued URLs continue."""
    return await switch_source(db, id, context.settings.frontier, check)


@router.patch(
    "/api/v1/sources/{id}/disable",
    Role.ADMIN,
    summary="Disable a source",
    result=SourceShape,
    action="source.disable",
    errors=_ERRORS,
)
async def patch_source_disable(
    db: Db, context: Context, check: IfMatch, id: SourceId, body: DisableBody
) -> SourceView:
    """Send no requests for a source; its URLs are kept and wait."""
    return await switch_source(db, id, context.settings.frontier, check, reason=body.reason)


@router.patch(
    "/api/v1/sources/{id}/feed-enable",
    Role.ADMIN,
    summary="Enable the feeds of a source",
    result=SourceChannelsShape,
    action="source.feed_enable",
    errors=_ERRORS,
)
async def patch_source_feed_enable(db: Db, context: Context, id: SourceId) -> SourceChannels:
    """Poll the disabled feeds of a source again, at once."""
    return await switch_feeds(db, id, context.settings.frontier)


@router.patch(
    "/api/v1/sources/{id}/feed-disable",
    Role.ADMIN,
    summary="Disable the feeds of a source",
    result=SourceChannelsShape,
    action="source.feed_disable",
    errors=_ERRORS,
)
async def patch_source_feed_disable(
    db: Db, context: Context, id: SourceId, body: DisableBody
) -> SourceChannels:
    """Poll the feeds of a source no more. Its sitemaps and its links stay as they are."""
    return await switch_feeds(db, id, context.settings.frontier, reason=body.reason)
