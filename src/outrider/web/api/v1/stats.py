"""`/api/v1/stats`: the figures of the crawl (API-09)."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query

from outrider.auth.model import Role
from outrider.services.crawl.figures import CrawlStats, CrawlTotals, read_crawl_stats, read_totals
from outrider.web.dependencies import Caller, Db
from outrider.web.router import ApiRouter

router = ApiRouter("stats")


@router.get(
    "/api/v1/stats", Role.ANONYMOUS, summary="Show the figures of the crawl", result=CrawlTotals | CrawlStats
)
async def get_crawl_stats(
    db: Db,
    caller: Caller,
    by_source: Annotated[bool, Query(description="Also count the entries of each source.")] = False,
) -> CrawlTotals:
    """Totals, rates and today's counts; with an account also every count by reason, or by source, too."""
    now = datetime.now(UTC)
    if not caller.is_signed_in:
        return await read_totals(db, now)
    return await read_crawl_stats(db, now, by_source=by_source)
