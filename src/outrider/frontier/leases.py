"""Leases of hosts: claimed, renewed, released, and recovered after a crash."""

import time
from collections.abc import Collection, Sequence
from itertools import groupby
from operator import itemgetter

import asyncpg

from outrider.frontier.lease import Lease, NotFree, Release
from outrider.frontier.low_water import LowWater
from outrider.frontier.options import FrontierOptions
from outrider.frontier.rows import BREAKERS, lease_of, lease_with_entries
from outrider.frontier.sharing import Sharing
from outrider.hosts.model import MOST_COUNTED
from outrider.urls import UrlKey, host_id_of

COME_BACK_S = 1.0  # a worker may reserve released hosts that are due within this time


class Leases(Sharing):
    """Claims, renews and releases hosts for one worker."""

    def __init__(self, options: FrontierOptions, worker_id: int = 0) -> None:
        super().__init__(options, worker_id)
        self._low_water = LowWater()

    async def claim(self, db: asyncpg.Connection, hosts: int, own: Collection[int] = ()) -> list[Lease]:
        """Lease up to `hosts` due hosts, besides those of `own` that are due, and read their best URLs."""
        asked_at = time.monotonic()
        rows = await db.fetch(
            self._claim_text(hosts),
            self.worker_id,
            self.options.lease_s,
            self._low_water.marks(asked_at),
            self.clock_monitor.latest(asked_at),
            list(own),
        )
        self._low_water.learn(row for row in rows if row["host_id"] not in own)
        expires = asked_at + self.options.lease_s
        by_host = groupby(rows, key=itemgetter("host_id"))
        leases = [lease_with_entries(list(of_host), expires) for _, of_host in by_host]
        if any(row["shared"] for row in rows):
            await self._add_interests(db, leases)
        return leases

    async def _add_interests(self, db: asyncpg.Connection, leases: Sequence[Lease]) -> None:
        """Add the interested sources to shared pages. Reading after the claim misses no source that waits."""
        shared = [entry.key for lease in leases for entry in lease.entries if entry.shared]
        interests = await self.interests(db, shared)
        for lease in leases:
            lease.entries = [
                entry._replace(interests=interests.get(entry.key, ())) if entry.shared else entry
                for entry in lease.entries
            ]

    async def release(
        self, db: asyncpg.Connection, releases: Sequence[Release], *, keep: float = 0
    ) -> dict[int, float]:
        """Release hosts. Returns in how many seconds each is due again, if it was still leased and has URLs.

        Up to `keep` hosts stay reserved for this worker for a moment, and come first in the result.
        """
        states = [release.state for release in releases]
        rows = await db.fetch(
            self._sql.release,
            [release.lease.host_id for release in releases],
            [release.lease.seq for release in releases],
            [release.wait_s for release in releases],
            [state.delay_ms for state in states],
            [state.penalty_ms for state in states],
            [min(state.calm, MOST_COUNTED) for state in states],
            [min(state.rate_limited, MOST_COUNTED) for state in states],
            [min(state.failures, MOST_COUNTED) for state in states],
            [BREAKERS.index(state.breaker) for state in states],
            [state.probes_ok for state in states],
            [min(state.trips, MOST_COUNTED) for state in states],
            [min(state.robots_failures, MOST_COUNTED) for state in states],
            [max(release.lease.probation - 1, 0) for release in releases],
            [place < keep and release.wait_s < COME_BACK_S for place, release in enumerate(releases)],
        )
        rows.sort(key=itemgetter("is_kept"), reverse=True)
        return {row["host_id"]: row["due_in_s"] for row in rows if row["due_in_s"] is not None}

    async def renew(self, db: asyncpg.Connection, leases: Sequence[Lease]) -> set[int]:
        """Extend leases. The result has the hosts that are still leased; the others are lost."""
        asked_at = time.monotonic()
        rows = await db.fetch(
            self._sql.renew,
            self.worker_id,
            self.options.lease_s,
            [lease.host_id for lease in leases],
            [lease.seq for lease in leases],
        )
        kept = {row["host_id"] for row in rows}
        for lease in leases:
            if lease.host_id in kept:
                lease.expires = asked_at + self.options.lease_s
        return kept

    async def lease_host(self, db: asyncpg.Connection, host: str) -> Lease | None:
        """Lease one particular host for requests outside a lane; None when it is not free now."""
        asked_at = time.monotonic()
        host_id = host_id_of(host)
        row = await db.fetchrow(self._sql.lease_host, self.worker_id, self.options.lease_s, host_id)
        if row is None:
            return None
        await db.execute(self._sql.name_host, host_id, host)
        return lease_of(row, host, asked_at + self.options.lease_s)

    async def why_not_free(self, db: asyncpg.Connection, host: str) -> NotFree:
        """Why a host cannot be leased now."""
        row = await db.fetchrow(self._sql.why_not_free, host_id_of(host))
        if row is None:
            return NotFree()
        owner = row["lease_owner"]
        worker = f"the worker {row['machine']}:{row['pid']}" if row["pid"] else "another command"
        return NotFree(row["is_blocked"], row["rests_s"] or 0.0, None if owner is None else worker)

    async def mark_in_progress(self, db: asyncpg.Connection, lease: Lease, key: UrlKey | None) -> int | None:
        """Mark the URL in progress; returns its crash count, or None when the lease is lost."""
        in_progress = key.hash if key else None
        crash_count: int | None = await db.fetchval(
            self._sql.mark_in_progress, lease.host_id, lease.seq, in_progress
        )
        return crash_count

    async def recover_worker(self, db: asyncpg.Connection, worker_id: int, request_s: float) -> int:
        """Make the hosts of a dead worker due after their delay; returns how many."""
        return len(await db.fetch(self._sql.recover_worker, worker_id, request_s))

    async def run_maintenance(self, db: asyncpg.Connection) -> int:
        """Periodic maintenance: create partitions of the history, and wake lost hosts."""
        await db.execute(self._sql.keep_partitions)
        return await self.sweep_lost_hosts(db)

    async def sweep_lost_hosts(self, db: asyncpg.Connection, limit: int = 1000) -> int:
        """Wake hosts that have queued URLs and no due time. Normally finds nothing."""
        return len(await db.fetch(self._sql.sweep_lost_hosts, limit))

    def _claim_text(self, hosts: int) -> str:
        """The claim with its limits as literals: one prepared statement for each power of two."""
        text = self._sql.claim.replace("LIMIT 16 -- hosts", f"LIMIT {claim_size(hosts)}")
        return text.replace("LIMIT 24 -- urls", f"LIMIT {self.options.urls_per_host}")


def claim_size(wanted: int) -> int:
    """The most hosts that one claim returns: the greatest power of two up to `wanted`."""
    return 1 << wanted.bit_length() - 1 if wanted > 0 else 0
