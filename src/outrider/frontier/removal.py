"""Removes entries from the frontier, and documents from its counts."""

from collections.abc import Collection

import asyncpg

from outrider.errors import Conflict, NotFound
from outrider.frontier.model import EntryKind
from outrider.frontier.sharing import Sharing
from outrider.urls import UrlKey


class Removals(Sharing):
    """Removes entries. The caller opens the transaction and removes the documents."""

    async def lock_removable(self, db: asyncpg.Connection, key: UrlKey) -> str:
        """Lock an entry that may be removed, and return its URL.

        Raises NotFound, and Conflict for a feed, a sitemap or an entry of a host that a worker holds.
        """
        row = await db.fetchrow(self._sql.lock_removable, key.host_id, key.hash)
        if row is None or row["kind"] == EntryKind.ROBOTS:
            raise NotFound("there is no such URL in the frontier")
        if row["kind"] != EntryKind.PAGE:
            kind = EntryKind(row["kind"]).name.lower()
            raise Conflict(f"{row['url']} is a {kind} of a source: remove it from the source instead")
        if row["is_leased"]:
            raise Conflict(f"a worker holds the host of {row['url']} now: try again in a moment")
        return str(row["url"])

    async def remove(self, db: asyncpg.Connection, key: UrlKey) -> None:
        """Remove a locked entry for every source, and subtract it from the counters."""
        await self.unshare(db, [key])
        await db.execute(self._sql.remove_url, key.host_id, key.hash, self.slot)

    async def forget_documents(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> None:
        """Subtract the documents of shared pages from the counts of the sources; call it before the purge."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        await db.execute(self._sql.forget_documents, hosts, hashes, self.slot)
