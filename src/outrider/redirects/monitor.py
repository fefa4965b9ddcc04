"""Takes reports of a site: views, hits and 404s. A 404 of a page that had visitors is a broken URL.

Each function is one pass within the transaction of the caller, bounded by the size of its input.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.redirects.broken_store import BrokenStatus, BrokenStore, BrokenUrl, Suggestion
from outrider.redirects.changing import commit_changes
from outrider.redirects.model import Redirect, RedirectSource
from outrider.redirects.resolution import MOST_SUGGESTIONS, clear_match, may_resolve
from outrider.redirects.store import Author, RedirectStore
from outrider.redirects.target import Target
from outrider.sites.model import OwnedSite
from outrider.sites.paths import read_path
from outrider.sites.slug import words_of
from outrider.sites.store import PathStore

MOST_REPORTED = 10_000  # paths of one report
MOST_COUNTED = 1_000_000_000  # of one path
MOST_RESOLVED = 100  # broken URLs that one report tries to resolve
MONITOR = Author("broken-URL monitor")


@dataclass(frozen=True, slots=True)
class Miss:
    """A path that answered 404, how often, and a page that links to it."""

    path: str
    count: int = 1
    referrer: str | None = None


@dataclass(frozen=True, slots=True)
class MissReport:
    """What became of reported 404s."""

    noise: int  # paths without earlier views: nothing is stored
    recorded: int
    resolved: int


async def record_hits(db: asyncpg.Connection, site: OwnedSite, hits: Mapping[str, int]) -> int:
    """Count visitors of redirects; returns how many redirects were counted."""
    return await RedirectStore().count_hits(db, site.site_id, read_counts(site, hits))


async def record_views(db: asyncpg.Connection, site: OwnedSite, views: Mapping[tuple[str, date], int]) -> int:
    """Count page views by path and day; returns how many. A path with a view is not broken (BRU-14)."""
    read: dict[tuple[str, date], int] = {}
    for day in sorted({day for _, day in views}):
        of_day = {path: count for (path, at), count in views.items() if at == day}
        read |= {(path, day): count for path, count in read_counts(site, of_day).items()}
    if read:
        store = BrokenStore()
        await store.add_views(db, site.site_id, read)
        await store.close(db, site.site_id, {path for path, _ in read})
    return len(read)


async def record_misses(db: asyncpg.Connection, site: OwnedSite, misses: Sequence[Miss]) -> MissReport:
    """Record the 404s of paths that had visitors, and resolve those whose page is clear (BRU-02)."""
    counts = read_counts(site, _summed(misses))
    store = BrokenStore()
    views = await store.views_of(db, site.site_id, counts)
    referrers = _referrers(site, misses)
    known = [(path, counts[path], views[path], referrers.get(path)) for path in sorted(views)]
    if not known:
        return MissReport(len(counts), 0, 0)
    # Changes of redirects lock the table first and broken URLs second; so does this.
    await RedirectStore().lock(db, site.site_id)
    rows = await store.record(db, site.site_id, known)
    resolved = await resolve_pending(db, site, rows)
    await store.count(db, site.site_id, {"broken_urls_recorded": len(rows), "broken_urls_resolved": resolved})
    return MissReport(len(counts) - len(views), len(rows), resolved)


async def resolve_pending(db: asyncpg.Connection, site: OwnedSite, rows: Sequence[BrokenUrl]) -> int:
    """Try to resolve broken URLs; returns how many were. The others keep their best candidates."""
    pending = [row for row in rows if row.status is BrokenStatus.PENDING]
    # A row that was looked at has candidates; it is looked at again when its 404s double.
    fresh = [row for row in pending if not row.suggestions or row.recent_404_count.bit_count() == 1]
    fresh.sort(key=lambda row: row.prior_analytics_hits, reverse=True)
    resolved = 0
    for row in fresh[:MOST_RESOLVED]:
        resolved += await _resolve(db, site, row)
    return resolved


async def _resolve(db: asyncpg.Connection, site: OwnedSite, row: BrokenUrl) -> bool:
    words = words_of(row.path)
    if not words:
        return False
    found = await PathStore().like(db, site.site_id, words, row.path, MOST_SUGGESTIONS)
    candidates = [Suggestion(path, confidence) for path, confidence in found]
    await BrokenStore().suggest(db, row.broken_id, candidates)
    best = clear_match(candidates, site.settings)
    decided = best is not None and may_resolve(row.path, site.settings.path_patterns)
    if best is None or not decided:
        return False
    redirects = RedirectStore()
    await redirects.lock(db, site.site_id)
    table = await redirects.part(db, site.site_id, [row.path], [best.path])
    made = Redirect(
        row.path, Target(best.path), source=RedirectSource.ANALYTICS_DETECTED, confidence=best.confidence
    )
    try:
        table.create(made, f"404s of a page that had {row.prior_analytics_hits} views")
    except Conflict:  # the path is live, or was redirected meanwhile
        return False
    await commit_changes(db, site, table, MONITOR)
    return True


def read_counts(site: OwnedSite, counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by path in stored form. Paths that no page can have are left out, with their query strings."""
    if len(counts) > MOST_REPORTED:
        raise InvalidInput(f"a report has at most {MOST_REPORTED:,} paths, not {len(counts):,}: send several")
    read: dict[str, int] = {}
    for text, count in counts.items():
        if not 1 <= count <= MOST_COUNTED:
            raise InvalidInput(f"a count is a number from 1 to {MOST_COUNTED:,}, not {count}")
        try:
            path = read_path(text.partition("?")[0].partition("#")[0], site.settings.rules)
        except InvalidInput:
            continue
        read[path] = min(read.get(path, 0) + count, MOST_COUNTED)
    return read


def _summed(misses: Sequence[Miss]) -> dict[str, int]:
    found: dict[str, int] = {}
    for miss in misses:
        found[miss.path] = found.get(miss.path, 0) + miss.count
    return found


def _referrers(site: OwnedSite, misses: Sequence[Miss]) -> dict[str, str]:
    found: dict[str, str] = {}
    for miss in misses:
        if miss.referrer and len(miss.referrer) <= 2_000 and miss.referrer.isprintable():
            for path in read_counts(site, {miss.path: 1}):
                found.setdefault(path, miss.referrer)
    return found
