"""`/api/v1/frontier`: submit, retry, remove, clear and recover URLs (API-14 to API-21)."""

from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.services.urls.changes import (
    ChangedCount,
    RecoveredLeases,
    SubmittedBatch,
    SubmittedEntry,
    clear_queue,
    recover_leases,
    remove_url,
    retry_url,
    retry_urls_by_filter,
    seed_urls,
    submit_batch,
    submit_url,
)
from outrider.services.urls.details import UrlDetails
from outrider.services.urls.keys import read_key
from outrider.web.api.v1.frontier_bodies import RetryFilter, UrlsToAdd, UrlsToSeed, UrlsToSubmit, UrlToSubmit
from outrider.web.api.v1.parameters import DryRun, HostQuery, SourceQuery, UrlId
from outrider.web.dependencies import Context, Db
from outrider.web.router import ApiRouter

router = ApiRouter("frontier")


@router.post(
    "/api/v1/frontier/submit",
    Role.ADMIN,
    summary="Submit a URL",
    result=SubmittedEntry,
    status=201,
    action="url.submit",
    aliases=("/api/v1/frontier",),
    errors=(400, 404),
)
async def post_url(db: Db, context: Context, body: UrlToSubmit) -> SubmittedEntry:
    """Queue one URL. `result` is `inserted`, `updated` (it was queued for later or lower) or `duplicate`."""
    return await submit_url(db, body.url, body.request([body.url]), context.settings.frontier)


@router.post(
    "/api/v1/frontier/submit/bulk",
    Role.ADMIN,
    summary="Submit many URLs",
    result=SubmittedBatch,
    status=201,
    action="url.submit",
    errors=(400, 404),
)
async def post_urls(db: Db, context: Context, body: UrlsToSubmit) -> SubmittedBatch:
    """Queue up to 10,000 URLs of one source. Each has a result; an invalid one does not stop the others."""
    return await submit_batch(db, body.request(body.urls), context.settings.frontier)


@router.post(
    "/api/frontier/add",
    Role.ADMIN,
    summary="Submit a URL or a list of URLs",
    result=SubmittedBatch,
    status=201,
    action="url.submit",
    errors=(400, 404),
)
async def post_added_urls(db: Db, context: Context, body: UrlsToAdd) -> SubmittedBatch:
    """The older path of both submit operations: it takes `url` or `urls`."""
    return await submit_batch(db, body.request(body.all()), context.settings.frontier)


@router.post(
    "/api/v1/frontier/seed",
    Role.ADMIN,
    summary="Submit start URLs",
    result=SubmittedBatch,
    status=201,
    action="url.seed",
    limit="seed",
    errors=(400, 404),
)
async def post_seeds(db: Db, context: Context, body: UrlsToSeed) -> SubmittedBatch:
    """Queue URLs with the highest priority."""
    return await seed_urls(db, body.urls, body.source_id, context.settings.frontier)


@router.post(
    "/api/v1/frontier/recover",
    Role.ADMIN,
    summary="Recover the URLs of workers that are gone",
    result=RecoveredLeases,
    action="url.recover",
)
async def post_url_recovery(db: Db, context: Context) -> RecoveredLeases:
    """Free the hosts of workers of this machine that died. Elsewhere leases end by themselves, in seconds."""
    settings = context.settings
    return await recover_leases(db, settings.frontier, settings.fetch.timeout_s)


@router.post(
    "/api/v1/frontier/retry",
    Role.ADMIN,
    summary="Retry dead URLs",
    result=ChangedCount,
    action="url.retry",
    in_transaction=False,
    errors=(400, 404),
)
async def post_url_retries(db: Db, context: Context, body: RetryFilter) -> ChangedCount:
    """Queue all dead URLs with this reason, host and source. `dry_run` counts them and changes nothing."""
    return await retry_urls_by_filter(
        db, body.last_error, body.host, body.source_id, context.settings.frontier, dry_run=body.dry_run
    )


@router.post(
    "/api/v1/frontier/{id}/retry",
    Role.ADMIN,
    summary="Retry one dead URL",
    result=UrlDetails,
    action="url.retry",
    errors=(404, 409),
)
async def post_url_retry(db: Db, context: Context, id: UrlId) -> UrlDetails:
    """Queue a dead URL again, with no failed attempts."""
    return await retry_url(db, read_key(id), context.settings.frontier)


@router.delete(
    "/api/v1/frontier/{id}",
    Role.ADMIN,
    summary="Remove one URL",
    status=204,
    action="url.remove",
    errors=(404, 409),
)
async def delete_url(db: Db, context: Context, id: UrlId) -> None:
    """Remove a URL with its stored page. 409 while a worker may fetch it, and for feeds and sitemaps."""
    await remove_url(db, read_key(id), context.settings.frontier)


@router.delete(
    "/api/v1/frontier",
    Role.ADMIN,
    summary="Clear the queue",
    result=ChangedCount,
    action="url.clear",
    errors=(400, 404),
)
async def delete_queue(
    db: Db,
    context: Context,
    host: HostQuery = None,
    source_id: SourceQuery = None,
    confirm: Annotated[bool, Query(description="Has to be true, unless it is a dry run.")] = False,
    dry_run: DryRun = False,
) -> ChangedCount:
    """Take the queued pages, or those of a host or source, out of the queue. Fetched and dead ones stay."""
    options = context.settings.frontier
    return await clear_queue(db, host, source_id, options, confirmed=confirm, dry_run=dry_run)
