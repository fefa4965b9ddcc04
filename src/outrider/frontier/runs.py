"""The entries of runs: which entries a run has, how many are settled, and how they leave the queue."""

from collections import defaultdict
from collections.abc import Collection, Mapping

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.requeue import Requeues
from outrider.urls import UrlKey

_SQL = Queries.load("outrider.frontier")

HOSTS_AT_ONCE = 1_000
ENTRIES_AT_ONCE = 5_000
JOINING_AT_ONCE = 50_000  # when a run begins; it joins the rest as it finds links to it
FIRST_HOST = -(2**63)


class RunEntries(Requeues):
    """Queues and withdraws the entries of a run. Every entry counts once as added and once as settled."""

    async def queue_for_run(
        self,
        db: asyncpg.Connection,
        keys: Collection[UrlKey],
        run_id: int,
        source_id: int,
        priority: int | None = None,
    ) -> int:
        """Visit known URLs now for a run; returns how many became entries of it.

        Entries of another open run stay there.
        """
        queued = await self.visit_again(db, keys, source_id, priority, run_id)
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.join_run, hosts, hashes, run_id, self.slot)
        await self.wake(db, rows)
        joined: int = sum(row["urls"] for row in rows)
        return queued + joined

    async def join_run_of_source(self, db: asyncpg.Connection, source_id: int, run_id: int) -> None:
        """Make the queued URLs of a source that have no open run entries of this run."""
        await db.execute(self._sql.join_run_of_source, source_id, run_id, self.slot)

    async def join_run_on_host(
        self, db: asyncpg.Connection, host_id: int, source_id: int, run_id: int, limit: int = JOINING_AT_ONCE
    ) -> None:
        """Make the due pages of a source on a host that have no open run entries of this run."""
        await db.execute(self._sql.join_run_on_host, host_id, source_id, run_id, limit, self.slot)

    async def leave_run(self, db: asyncpg.Connection, source_id: int, run_id: int) -> None:
        """Let the queued entries of a source's run stay queued without a run. They count as settled."""
        await db.execute(self._sql.leave_run, source_id, run_id, self.slot)

    async def leave_runs(self, db: asyncpg.Connection, source_id: int) -> None:
        """Let the entries that `hold_source` hides leave their runs: the source is removed."""
        await db.execute(self._sql.leave_runs, source_id, self.slot)

    async def leave_runs_on_blocked_hosts(self, db: asyncpg.Connection, limit: int = ENTRIES_AT_ONCE) -> int:
        """Let entries of blocked hosts leave their runs, up to `limit`; returns how many did."""
        left: int = await db.fetchval(self._sql.leave_runs_on_blocked_hosts, limit, self.slot)
        return left

    async def requeue_withdrawn(
        self, db: asyncpg.Connection, source_id: int, run_id: int, limit: int = ENTRIES_AT_ONCE
    ) -> int:
        """Queue what a cancelled run of the source left, for this run; returns how many of up to `limit`."""
        rows = await db.fetch(self._sql.withdrawn_entries, source_id, limit)
        keys = [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]
        return await self.requeue(db, keys, source_id=source_id, run_id=run_id) if keys else 0

    async def withdraw(
        self, db: asyncpg.Connection, run_id: int, first_host: int = FIRST_HOST, *, leased_too: bool = False
    ) -> tuple[int, int | None]:
        """Take a batch of a run's entries out of the queue.

        Returns how many, and the host to continue with; None after the last host. Entries of leased hosts
        stay unless `leased_too`: a request may be under way.
        """
        [row] = await db.fetch(
            self._sql.withdraw_entries,
            run_id,
            first_host,
            HOSTS_AT_ONCE,
            ENTRIES_AT_ONCE,
            leased_too,
            self.slot,
        )
        return row["entries"], row["next_host"]

    async def add_run_counts(self, db: asyncpg.Connection, counts: Mapping[tuple[int, str], int]) -> None:
        """Add the counts of a batch, by run and name."""
        if counts:
            await db.execute(
                self._sql.add_run_counts,
                self.slot,
                [run_id for run_id, _ in counts],
                [name for _, name in counts],
                list(counts.values()),
            )

    async def run_counts(self, db: asyncpg.Connection, run_ids: Collection[int]) -> dict[int, dict[str, int]]:
        """The counters of each run, exact for one moment."""
        found: dict[int, dict[str, int]] = defaultdict(dict)
        for row in await db.fetch(self._sql.run_counts, list(run_ids)):
            found[row["run_id"]][row["name"]] = row["value"]
        return found

    async def correct_run(self, db: asyncpg.Connection, run_id: int) -> int:
        """Count entries as settled that left the queue without a visit; returns how many. Scans the queue."""
        return await db.fetchval(self._sql.correct_run, run_id, self.slot) or 0


async def forget_run_counts(db: asyncpg.Connection, run_ids: Collection[int]) -> None:
    """Remove the counters of runs that are removed."""
    await db.execute(_SQL.forget_run_counts, list(run_ids))
