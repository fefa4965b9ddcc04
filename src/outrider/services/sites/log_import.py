"""The use case of access logs: views and 404s of a site without a middleware (BRU-04)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice

import asyncpg

from outrider.errors import Conflict
from outrider.redirects.access_logs import LogSummary
from outrider.redirects.monitor import MOST_REPORTED, record_misses, record_views
from outrider.redirects.store import RedirectStore
from outrider.sites.store import SiteStore


@dataclass(frozen=True, slots=True)
class LogImport:
    """What an import of an access log did."""

    lines: int
    unreadable: int
    dropped: int
    views: int
    missed_paths: int
    noise: int
    recorded: int
    resolved: int


async def import_log(
    db: asyncpg.Connection, named: str, log: LogSummary, fingerprint: str, *, again: bool = False
) -> LogImport:
    """Count what a log has; raises Conflict if the same log was counted before, unless `again` is true.

    Views of days to come are left out: they would never be forgotten.
    """
    async with db.transaction():
        site = await SiteStore().find(db, named)
        is_new = await RedirectStore().is_new_event(db, site.site_id, f"log {fingerprint}")
        if not is_new and not again:
            raise Conflict("this log was imported before: import it again only if it should count twice")
        latest = datetime.now(UTC).date() + timedelta(days=1)
        views_until = {at: count for at, count in log.views.items() if at[1] <= latest}
        for views in _parts(views_until):
            await record_views(db, site, views)
        noise = recorded = resolved = 0
        misses = list(log.misses.values())
        for start in range(0, len(misses), MOST_REPORTED):
            report = await record_misses(db, site, misses[start : start + MOST_REPORTED])
            noise, recorded = noise + report.noise, recorded + report.recorded
            resolved += report.resolved
    total = sum(views_until.values())
    return LogImport(log.lines, log.unreadable, log.dropped, total, len(misses), noise, recorded, resolved)


def _parts(views: Mapping[tuple[str, date], int]) -> Iterator[dict[tuple[str, date], int]]:
    """Views in parts that one report may have."""
    left = iter(views.items())
    while part := dict(islice(left, MOST_REPORTED)):
        yield part
