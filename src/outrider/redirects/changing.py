"""Writes a changed table: the redirects, their audit, and what follows for broken URLs."""

from collections.abc import Collection

import asyncpg

from outrider.redirects.broken_store import BrokenStore
from outrider.redirects.store import Author, RedirectStore
from outrider.redirects.table import RedirectTable
from outrider.sites.model import OwnedSite


async def commit_changes(
    db: asyncpg.Connection,
    site: OwnedSite,
    table: RedirectTable,
    by: Author,
    *,
    arrived: Collection[str] = (),
) -> int | None:
    """Write the changes of a table that was locked and read in this transaction; returns the new version.

    `arrived` are paths that have a page now: their broken URLs are closed.
    """
    broken = BrokenStore()
    version = await RedirectStore().write(db, site.site_id, table.changes, by)
    last = {change.from_path: change.after for change in table.changes}
    redirected = [path for path, after in last.items() if after is not None]
    freed = [path for path, after in last.items() if after is None and path not in table.live]
    if redirected:
        await broken.settle(db, site.site_id, redirected)
    if freed:
        await broken.reopen(db, site.site_id, freed)
    if arrived:
        await broken.close(db, site.site_id, arrived)
    return version
