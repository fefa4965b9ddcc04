"""Use cases that take what the crawler knows about an owned site (RDM-26, RDM-30, BRU-13)."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import asyncpg

from outrider.errors import Conflict, OutriderError
from outrider.redirects.broken_store import BrokenStore, Suggestion
from outrider.redirects.crawled import InferredRename, answered_since, missing_of, pages_of, renames_of
from outrider.redirects.model import GONE
from outrider.redirects.monitor import read_counts
from outrider.redirects.rendered_links import RenderedLinks, register_rendered
from outrider.redirects.store import RedirectStore
from outrider.services.fetch.fetch import fetch_url
from outrider.services.fetch.polite import FetchOne
from outrider.services.sites.content import InventoryResult, put_paths
from outrider.sites.model import OwnedSite
from outrider.sites.paths import for_header
from outrider.sites.store import SiteStore

T = TypeVar("T")

MOST_PAGES = 1_000_000
MOST_MISSING = 10_000
MOST_RENAMES = 10_000


@dataclass(frozen=True, slots=True)
class CrawledFindings:
    """What the crawler found on an owned site."""

    missing: int  # 404s that are broken URLs since now, or were met again
    renames: Sequence[InferredRename]
    closed: int  # broken URLs that answer again


@dataclass(frozen=True, slots=True)
class RedirectProblem:
    """A redirect that does not work on the live site."""

    from_path: str
    to: str | None
    problem: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check of redirects on the live site found."""

    checked: int
    problems: Sequence[RedirectProblem]


async def inventory_from_crawl(db: asyncpg.Connection, named: str, by: str) -> InventoryResult:
    """Add the pages that the crawler has of a site to its inventory."""
    site = await SiteStore().find(db, named)
    pages = await pages_of(db, site, MOST_PAGES)
    return await put_paths(db, named, pages, by, replaces=False)


async def take_crawled(db: asyncpg.Connection, named: str) -> CrawledFindings:
    """Record the 404s of a crawl with their referring pages, and suggest where renamed pages are now.

    A 404 counts once for each time that the crawler met it. A pending path that answered the crawler since
    is closed (BRU-14).
    """
    store = BrokenStore()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        renames = await renames_of(db, site, MOST_RENAMES)
        suggested = {each.from_path: each for each in renames}
        found = {miss.path: (miss, at) for miss, at in await missing_of(db, site, MOST_MISSING)}
        await RedirectStore().lock(db, site.site_id)
        known = await store.changed_at(db, site.site_id, found, MOST_MISSING)
        missing = {
            path: miss
            for path, (miss, at) in found.items()
            if path not in known or (at is not None and at > known[path])
        }
        views = await store.views_of(db, site.site_id, read_counts(site, dict.fromkeys(missing, 1)))
        misses = [(path, 1, views.get(path, 0), missing[path].referrer) for path in sorted(missing)]
        rows = await store.record(db, site.site_id, misses) if misses else []
        for row in rows:
            if (rename := suggested.get(row.path)) is not None:
                await store.suggest(db, row.broken_id, [Suggestion(rename.to_path, rename.confidence)])
        closed = await _close_answering(db, store, site)
    return CrawledFindings(len(rows), renames, closed)


async def _close_answering(db: asyncpg.Connection, store: BrokenStore, site: OwnedSite) -> int:
    pending = await store.changed_at(db, site.site_id, None, MOST_MISSING)
    if not pending:
        return 0
    answered = await answered_since(db, site, min(pending.values()), MOST_PAGES)
    back = [path for path, at in pending.items() if path in answered and answered[path] > at]
    await store.close(db, site.site_id, back)
    return len(back)


async def register_links(db: asyncpg.Connection, named: str) -> RenderedLinks:
    """Register the links of the crawled pages of a site now; raises Conflict if the site does not want it."""
    site = await SiteStore().find(db, named)
    if not site.settings.crawl_links:
        raise Conflict(f"the site {site.name} does not want that: set crawl_links=true first")

    async def run(work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        async with db.transaction():
            return await work(db)

    return await register_rendered(run, site)


async def verify_redirects(
    db: asyncpg.Connection, fetch_one: FetchOne, named: str, limit: int
) -> Verification:
    """Request redirects of the live site: each must answer its code, and its target 2xx at once."""
    site = await SiteStore().find(db, named)
    stored = (await RedirectStore().all_stored(db, site.site_id))[:limit]
    problems = []
    for redirect in (each.redirect for each in stored):
        problem = await _problem(fetch_one, site.base_url, redirect.from_path, redirect.to, redirect.status)
        if problem is not None:
            problems.append(RedirectProblem(redirect.from_path, redirect.to, problem))
    return Verification(len(stored), problems)


async def _problem(fetch_one: FetchOne, base_url: str, path: str, to: str | None, status: int) -> str | None:
    """Why a redirect does not work; None if it does."""
    try:
        found = await fetch_url(fetch_one, base_url + for_header(path))
    except OutriderError as error:
        return str(error)
    if status == GONE:
        return None if found.status == GONE else f"answers {found.status or found.reason}, not 410"
    if not found.hops:
        return f"is not redirected: it answers {found.status or found.reason}"
    if found.hops[0].status != status:
        return f"answers {found.hops[0].status}, not {status}"
    if len(found.hops) > 1:
        return f"takes {len(found.hops)} hops and ends at {found.url}"
    if not found.is_ok:
        return f"its target answers {found.status or found.reason}"
    return None
