"""Removes automatic redirects that have no visitors, and old records (RDM-19, LIF-23)."""

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.redirects.broken_store import BrokenStore
from outrider.redirects.changing import commit_changes
from outrider.redirects.store import Author, RedirectStore
from outrider.sites.model import OwnedSite
from outrider.sites.store import SiteStore

PRUNE_EVERY_S = 7 * 86_400.0
BATCH = 5_000
AUDIT_DAYS = 730
EVENT_DAYS = 90
VIEW_DAYS = 730
_PRUNER = Author("weekly pruning")


async def prune_site(db: asyncpg.Connection, site: OwnedSite, most: int = BATCH) -> int:
    """Remove up to `most` unused redirects of a site, and its old records; returns how many redirects."""
    redirects = RedirectStore()
    await redirects.lock(db, site.site_id)
    unused = await redirects.unused(db, site.site_id, site.settings.prune_days, most)
    table = await redirects.part(db, site.site_id, unused)
    for path in unused:
        table.remove(path, f"no visitor in {site.settings.prune_days} days")
    await commit_changes(db, site, table, _PRUNER)
    await redirects.forget(db, site.site_id, AUDIT_DAYS, EVENT_DAYS)
    await BrokenStore().forget_views(db, site.site_id, VIEW_DAYS)
    return len(unused)


async def prune_all(connection: ReconnectingConnection) -> int:
    """Prune every site, in transactions of bounded size; returns how many redirects were removed."""
    removed, offset = 0, 0
    while True:
        sites, _ = await connection.run(lambda db, after=offset: SiteStore().page(db, 100, after))  # type: ignore[misc]
        for site in sites:
            while (gone := await connection.run(lambda db, of=site: prune_site(db, of))) == BATCH:  # type: ignore[misc]
                removed += gone
            removed += gone
        if len(sites) < 100:
            return removed
        offset += len(sites)
