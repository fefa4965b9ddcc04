"""`/api/v1/admin/pages`: remove stored pages, or fetch them again (API-24, API-25)."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from outrider.auth.model import Role
from outrider.services.pages.admin import ChangedPages, PageChoice, purge_pages, replay_pages
from outrider.web.api.v1.parameters import LONGEST_HOST, DryRun, HostName, HostQuery, Moment, SourceQuery
from outrider.web.dependencies import Context, Db, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("pages")


class PagesToReplay(RequestBody):
    """Which pages to fetch again: those fetched from `start_date` on and before `end_date`."""

    start_date: Moment | None = None
    end_date: Moment | None = None
    domain: Annotated[HostName | None, Field(max_length=LONGEST_HOST)] = None
    source_id: Annotated[str | None, Field(max_length=200)] = None
    priority: Annotated[int | None, Field(ge=1, le=10)] = None
    dry_run: bool = False


@router.delete(
    "/api/v1/admin/pages",
    Role.ADMIN,
    summary="Remove stored pages",
    result=ChangedPages,
    action="page.purge",
    in_transaction=False,
    errors=(400, 404),
)
async def delete_pages(
    db: Db,
    context: Context,
    domain: HostQuery = None,
    source_id: SourceQuery = None,
    since: Annotated[Moment | None, Query(description="Fetched at this time or later.")] = None,
    until: Annotated[Moment | None, Query(description="Fetched before this time.")] = None,
    content_type: Annotated[str | None, Query(min_length=1, max_length=100)] = None,
    confirm: Annotated[bool, Query(description="Needed to remove every stored page.")] = False,
    dry_run: DryRun = False,
) -> ChangedPages:
    """Remove the pages that match all filters, with their versions. Their URLs stay known."""
    choice = PageChoice(domain, source_id, since, until, content_type)
    return await purge_pages(db, choice, context.settings.frontier, dry_run=dry_run, confirmed=confirm)


@router.post(
    "/api/v1/admin/pages/replay",
    Role.ADMIN,
    summary="Fetch stored pages again",
    result=ChangedPages,
    action="page.replay",
    in_transaction=False,
    errors=(400, 404),
)
async def post_page_replay(db: Db, context: Context, body: PagesToReplay) -> ChangedPages:
    """Queue the pages that match all filters. `dry_run` counts them and changes nothing."""
    choice = PageChoice(body.domain, body.source_id, body.start_date, body.end_date)
    return await replay_pages(db, choice, body.priority, context.settings.frontier, dry_run=body.dry_run)
