"""What the middleware of a site reports in batches: hits, views and 404s (API-91 to API-93)."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field

from outrider.auth.model import Role
from outrider.redirects.monitor import MOST_COUNTED, MOST_REPORTED, Miss, MissReport
from outrider.services.sites.reports import report_hits, report_misses, report_views
from outrider.web.api.v1.ids import SiteId
from outrider.web.dependencies import Db, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("sites")

LONGEST = 8_000
Count = Annotated[int, Field(ge=1, le=MOST_COUNTED)]
ReportedPath = Annotated[str, Field(max_length=LONGEST)]
Counts = Annotated[dict[ReportedPath, Count], Field(max_length=MOST_REPORTED)]


@dataclass(frozen=True, slots=True)
class Counted:
    """How many paths of a report were counted."""

    counted: int


class HitsBody(RequestBody):
    """Visitors of redirects by the path that they asked for."""

    hits: Counts


class ViewsBody(RequestBody):
    """Page views of a day by path."""

    views: Counts
    day: Annotated[date | None, Field(description="Today (UTC) if it is left out.")] = None


class MissBody(RequestBody):
    """A path that answered 404."""

    path: ReportedPath
    count: Count = 1
    referrer: Annotated[str | None, Field(max_length=LONGEST, description="A page that links to it.")] = None


class MissesBody(RequestBody):
    """404s by path."""

    paths: Annotated[list[MissBody], Field(max_length=MOST_REPORTED)]


# These calls come every second from every process of a site: the audit log has none of them.
@router.post(
    "/api/v1/sites/{id}/redirects/hits",
    Role.SITE,
    summary="Report visitors of redirects",
    result=Counted,
    action="site.hits",
    records_itself=True,
    errors=(400, 401, 403, 413, 422),
    example={"hits": {"/old": 3}},
)
async def post_site_hits(db: Db, id: SiteId, body: HitsBody) -> Counted:
    """Count visitors of redirects. Paths without a redirect are left out."""
    return Counted(await report_hits(db, id, body.hits))


@router.post(
    "/api/v1/sites/{id}/views",
    Role.SITE,
    summary="Report page views",
    result=Counted,
    action="site.views",
    records_itself=True,
    errors=(400, 401, 403, 413, 422),
    example={"day": "2026-01-31", "views": {"/shoes": 12}},
)
async def post_site_views(db: Db, id: SiteId, body: ViewsBody) -> Counted:
    """Count page views of people. They tell a lost page from the noise of scanners."""
    return Counted(await report_views(db, id, body.views, body.day))


@router.post(
    "/api/v1/sites/{id}/not-found",
    Role.SITE,
    summary="Report 404s",
    result=MissReport,
    action="site.not_found",
    records_itself=True,
    errors=(400, 401, 403, 413, 422),
    example={"paths": [{"path": "/lost", "count": 2, "referrer": "https://example.org/"}]},
)
async def post_site_not_found(db: Db, id: SiteId, body: MissesBody) -> MissReport:
    """Report 404s. Paths that never had a visitor are noise, and nothing is stored about them."""
    return await report_misses(db, id, [Miss(each.path, each.count, each.referrer) for each in body.paths])
