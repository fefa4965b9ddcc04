"""Pages that several sources want: the sources, the state of the page for each, and which ones wait.

The table `url_source` has a row for every source that wants a shared page. See docs/explain/frontier.md.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import asyncpg

from outrider.frontier.model import ORIGIN_CODE, SourceInterest, SourceResult, Submission
from outrider.frontier.rows import interest_of
from outrider.frontier.store_base import StoreBase
from outrider.urls import UrlKey


class Sharing(StoreBase):
    """Records which sources want shared pages, and wakes hosts that have something to do afterwards."""

    async def share(self, db: asyncpg.Connection, links: Sequence[Submission]) -> None:
        """Record that the sources of these links want pages of other sources (FRO-16)."""
        rows = await db.fetch(
            self._sql.share,
            [link.key.host_id for link in links],
            [link.key.hash for link in links],
            [link.source_id for link in links],
            [link.depth for link in links],
            [ORIGIN_CODE[link.origin] for link in links],
            [link.priority for link in links],
            self.slot,
        )
        await self.wake(db, rows)

    async def queue_withdrawn(self, db: asyncpg.Connection, links: Sequence[Submission]) -> None:
        """Queue those of these links that a cancelled run took out of the queue.

        They are visited for every source that wants them. Other reasons say something about the page itself.
        """
        hosts, hashes = [link.key.host_id for link in links], [link.key.hash for link in links]
        rows = await db.fetch(self._sql.withdrawn_among, hosts, hashes)
        withdrawn = {UrlKey(row["host_id"], row["url_hash"].hex) for row in rows}
        by_run: dict[int, set[UrlKey]] = defaultdict(set)
        for link in links:
            if link.key in withdrawn:
                by_run[link.run_id].add(link.key)
        for run_id, keys in sorted(by_run.items()):
            args = [key.host_id for key in keys], [key.hash for key in keys], None, self.slot, run_id or None
            rows = await db.fetch(self._sql.requeue, *args)
            await self.mark_pending(db, keys)
            await self.wake(db, rows)

    async def mark_pending(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], source_id: int | None = None
    ) -> None:
        """Let one source, or every source that wants them, wait for a visit of the queued ones of these."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        await self.wake(db, await db.fetch(self._sql.mark_pending, hosts, hashes, source_id, self.slot))

    async def record_source_results(
        self, db: asyncpg.Connection, source_results: Sequence[SourceResult]
    ) -> None:
        """Record the results of visits for each source, in the transaction of their completions."""
        await db.execute(
            self._sql.record_source_states,
            [each.key.host_id for each in source_results],
            [each.key.hash for each in source_results],
            [each.source_id for each in source_results],
            [int(each.state) for each in source_results],
            [each.reason for each in source_results],
            [each.is_read for each in source_results],
            self.slot,
        )
        keys = {each.key for each in source_results}
        await db.execute(self._sql.hide_unwanted, [key.host_id for key in keys], [key.hash for key in keys])

    async def interests(
        self, db: asyncpg.Connection, keys: Collection[UrlKey]
    ) -> dict[UrlKey, tuple[SourceInterest, ...]]:
        """The state of shared pages for each source that wants them."""
        found: dict[UrlKey, list[SourceInterest]] = defaultdict(list)
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        for row in await db.fetch(self._sql.source_states, hosts, hashes):
            found[UrlKey(row["host_id"], row["url_hash"].hex)].append(interest_of(row))
        return {key: tuple(interests) for key, interests in found.items()}

    async def unshare(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> None:
        """Make shared pages belong to their first source only."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        await db.execute(self._sql.unshare, hosts, hashes, self.slot)

    async def wake(self, db: asyncpg.Connection, rows: Iterable[Any]) -> None:
        """Wake the hosts of these rows. Rows with a negative prio belong to held sources and wake none."""
        hosts = {row["host_id"]: row["prio"] for row in rows if row["prio"] > 0}
        if hosts:
            await db.execute(self._sql.wake_hosts, list(hosts), list(hosts.values()))
