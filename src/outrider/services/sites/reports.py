"""Use cases of what a site reports: hits, views and 404s (API-91 to API-93)."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import asyncpg

from outrider.errors import InvalidInput
from outrider.redirects.monitor import Miss, MissReport, record_hits, record_misses, record_views
from outrider.sites.store import SiteStore

OLDEST_VIEW = timedelta(days=730)


async def report_hits(db: asyncpg.Connection, named: str, hits: Mapping[str, int]) -> int:
    """Count visitors by the path that they asked for; returns how many redirects were counted."""
    async with db.transaction():
        return await record_hits(db, await SiteStore().find(db, named), hits)


async def report_views(
    db: asyncpg.Connection, named: str, views: Mapping[str, int], day: date | None = None
) -> int:
    """Count page views of a day, today if none is given; returns how many paths were counted."""
    today = datetime.now(UTC).date()
    day = today if day is None else day
    if not today - OLDEST_VIEW <= day <= today + timedelta(days=1):
        raise InvalidInput(f"views are counted for the last {OLDEST_VIEW.days} days, not for {day}")
    async with db.transaction():
        site = await SiteStore().find(db, named)
        return await record_views(db, site, {(path, day): count for path, count in views.items()})


async def report_misses(db: asyncpg.Connection, named: str, misses: Sequence[Miss]) -> MissReport:
    """Report 404s. Paths that never had a visitor are noise: nothing is stored."""
    async with db.transaction():
        return await record_misses(db, await SiteStore().find(db, named), misses)
