"""The frontier's statements: every method runs named queries and speaks in model objects.

Methods take the connection, because the caller decides what shares a transaction:
`crawl/flush.py` records completions, documents and new links in one commit.
"""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.chains import end_loops
from outrider.frontier.lease import Lease
from outrider.frontier.low_water import LowWater
from outrider.frontier.model import (
    Completion,
    RequestNote,
    Submission,
    Submitted,
    TemplateNote,
)
from outrider.frontier.options import FrontierOptions
from outrider.frontier.reckoning import Reckoning
from outrider.frontier.rows import (
    BREAKERS,
    completion_row,
    lease_of,
    lease_with_entries,
    link_row,
    request_row,
)
from outrider.hosts.model import HostState
from outrider.urls import UrlKey, host_id_of

SLOTS = 64


@dataclass(frozen=True, slots=True)
class Release:
    """A host given back: how it is doing, and how long nobody may ask it again."""

    lease: Lease
    state: HostState
    wait_s: float


class FrontierStore:
    """Claims, completions and ingests for one worker, or for a command that only looks."""

    def __init__(self, options: FrontierOptions, worker_id: int = 0) -> None:
        self.options = options
        self.worker_id = worker_id
        self.slot = worker_id % SLOTS
        self._sql = Queries.load("outrider.frontier")
        self._low_water = LowWater()
        self.reckoning = Reckoning()

    async def claim(self, db: asyncpg.Connection, hosts: int, own: Collection[int] = ()) -> list[Lease]:
        """Lease up to `hosts` due hosts, besides those of `own` that are due, and read their best URLs."""
        asked_at = time.monotonic()
        rows = await db.fetch(
            self._claim_text(hosts),
            self.worker_id,
            self.options.lease_s,
            self._low_water.marks(asked_at),
            self.reckoning.latest(asked_at),
            list(own),
        )
        self._low_water.learn(row for row in rows if row["host_id"] not in own)
        expires = asked_at + self.options.lease_s
        by_host = groupby(rows, key=itemgetter("host_id"))
        return [lease_with_entries(list(of_host), expires) for _, of_host in by_host]

    async def release(self, db: asyncpg.Connection, releases: Sequence[Release]) -> dict[int, float]:
        """Give hosts back; returns how soon each is due again, for those still ours that have work."""
        states = [release.state for release in releases]
        rows = await db.fetch(
            self._sql.release,
            [release.lease.host_id for release in releases],
            [release.lease.seq for release in releases],
            [release.wait_s for release in releases],
            [state.delay_ms for state in states],
            [state.penalty_ms for state in states],
            [min(state.calm, 32_767) for state in states],
            [min(state.failures, 32_767) for state in states],
            [BREAKERS.index(state.breaker) for state in states],
            [state.probes_ok for state in states],
            [min(state.trips, 32_767) for state in states],
            [min(state.robots_failures, 32_767) for state in states],
            [max(release.lease.probation - 1, 0) for release in releases],
        )
        return {row["host_id"]: row["due_in_s"] for row in rows if row["due_in_s"] is not None}

    async def renew(self, db: asyncpg.Connection, leases: Sequence[Lease]) -> set[int]:
        """Extend leases; hosts missing from the answer are lost."""
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

    async def borrow(self, db: asyncpg.Connection, host: str) -> Lease | None:
        """Lease one particular host for a single errand; None when it is not free now."""
        asked_at = time.monotonic()
        host_id = host_id_of(host)
        row = await db.fetchrow(self._sql.borrow, self.worker_id, self.options.lease_s, host_id)
        if row is None:
            return None
        await db.execute(self._sql.name_host, host_id, host)
        return lease_of(row, host, asked_at + self.options.lease_s)

    async def accuse(self, db: asyncpg.Connection, lease: Lease, key: UrlKey | None) -> int | None:
        """Note which URL is being fetched; returns its blame so far, or None when the lease is lost."""
        accused = key.hash if key else None
        blame: int | None = await db.fetchval(self._sql.accuse, lease.host_id, lease.seq, accused)
        return blame

    async def recover_worker(self, db: asyncpg.Connection, worker_id: int, request_s: float) -> int:
        """Hosts of a worker known to be dead come back after their delay."""
        return len(await db.fetch(self._sql.recover_worker, worker_id, request_s))

    async def keep_house(self, db: asyncpg.Connection) -> int:
        """What is done now and then: partitions for the months to come, and a look for lost hosts."""
        await db.execute(self._sql.keep_partitions)
        return await self.sweep_lost_hosts(db)

    async def sweep_lost_hosts(self, db: asyncpg.Connection, limit: int = 1000) -> int:
        """Wake hosts that have queued URLs and no due time. Normally finds nothing."""
        return len(await db.fetch(self._sql.sweep_lost_hosts, limit))

    async def complete(self, db: asyncpg.Connection, completions: Sequence[Completion]) -> None:
        """Record what became of addresses."""
        if not completions:
            return
        await db.execute(self._sql.complete, [completion_row(done) for done in completions], self.slot)
        moved = {done.key: done.moved_to for done in completions if done.moved_to is not None}
        if moved:
            await end_loops(db, moved, self.slot)

    async def ingest(
        self, db: asyncpg.Connection, links: Sequence[Submission], held: Collection[int] = ()
    ) -> Submitted:
        """Queue what is new. `held` names hosts whose lease the caller surely still has."""
        if not links:
            return Submitted()
        hosts = {link.key.host_id: link.host for link in links}
        rows = await db.fetch(
            self._sql.ingest,
            [link_row(link) for link in links],
            list(hosts),
            list(hosts.values()),
            list(held),
            self.slot,
        )
        inserted = sum(row["inserted"] for row in rows)
        return Submitted(inserted, len(rows) - inserted, len(links) - len(rows))

    async def note_requests(self, db: asyncpg.Connection, notes: Sequence[RequestNote]) -> None:
        """Append to the history, and to the books of each host."""
        if not notes:
            return
        now = time.monotonic()
        await db.execute(self._sql.note_requests, [request_row(note, now) for note in notes], self.worker_id)
        books = _books(notes)
        await db.execute(
            self._sql.note_hosts,
            list(books),
            [len(of_host) for of_host in books.values()],
            [sum(note.is_page for note in of_host) for of_host in books.values()],
            [sum(note.is_error for note in of_host) for of_host in books.values()],
            [sum(note.wire_bytes for note in of_host) for of_host in books.values()],
            [sum(note.elapsed_ms for note in of_host) for of_host in books.values()],
            [of_host[-1].status for of_host in books.values()],
            [of_host[-1].outcome if of_host[-1].is_error else None for of_host in books.values()],
        )

    async def add_counts(self, db: asyncpg.Connection, counts: Mapping[tuple[int, str], int]) -> None:
        if not counts:
            return
        await db.execute(
            self._sql.add_counts,
            self.slot,
            [source_id for source_id, _ in counts],
            [name for _, name in counts],
            list(counts.values()),
        )

    async def learn_templates(self, db: asyncpg.Connection, notes: Sequence[TemplateNote]) -> None:
        if not notes:
            return
        await db.execute(
            self._sql.learn_templates,
            [note.host_id for note in notes],
            [note.template for note in notes],
            [note.fetched for note in notes],
            [note.barren_run for note in notes],
            [note.barren for note in notes],
        )

    async def barren_templates(self, db: asyncpg.Connection, limit: int = 10_000) -> set[str]:
        """URL shapes that lost their turn, whoever found out."""
        return {row["template"] for row in await db.fetch(self._sql.barren_templates, limit)}

    async def requeue(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], priority: int | None = None
    ) -> int:
        """Put addresses that are not queued back in the queue, as good as new; returns how many."""
        rows = await db.fetch(
            self._sql.requeue, [key.host_id for key in keys], [key.hash for key in keys], priority, self.slot
        )
        await self._wake(db, rows)
        return sum(row["urls"] for row in rows)

    async def hasten(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> int:
        """Ask for these addresses now, unless they wait after a failure; how many were not due?"""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.hasten, hosts, hashes)
        await self._wake(db, rows)
        hastened: int = sum(row["urls"] for row in rows)
        return hastened + await self.requeue(db, keys)

    async def trail(self, db: asyncpg.Connection, keys: Collection[UrlKey]) -> list[UrlKey]:
        """These addresses, and those their redirects led to."""
        rows = await db.fetch(self._sql.trail, [key.host_id for key in keys], [key.hash for key in keys])
        return [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]

    async def adopt(
        self, db: asyncpg.Connection, keys: Collection[UrlKey], source_id: int, priority: int
    ) -> int:
        """Addresses known through other sources become this one's; returns how many."""
        hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
        rows = await db.fetch(self._sql.adopt, hosts, hashes, source_id, priority, self.slot)
        await self._wake(db, rows)
        return sum(row["urls"] for row in rows)

    async def clear_pending(
        self, db: asyncpg.Connection, source_id: int | None = None, host_id: int | None = None
    ) -> int:
        """Empty the queue, or that part of it (FRO-19); returns how many pages it lost."""
        cleared: int = await db.fetchval(self._sql.clear_pending, source_id, host_id, self.slot)
        return cleared

    async def blocked_by_robots(
        self, db: asyncpg.Connection, host_id: int, after: str, limit: int
    ) -> list[tuple[UrlKey, str]]:
        """A page of the URLs that robots.txt kept us from."""
        rows = await db.fetch(self._sql.blocked_urls, host_id, after, limit)
        return [(UrlKey(host_id, row["url_hash"].hex), row["url"]) for row in rows]

    async def known_before(
        self, db: asyncpg.Connection, source_id: int, before: datetime, after: UrlKey, limit: int
    ) -> list[UrlKey]:
        rows = await db.fetch(self._sql.known_before, source_id, before, after.host_id, after.hash, limit)
        return [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]

    async def hold_source(self, db: asyncpg.Connection, source_id: int) -> None:
        """Its queued URLs step out of the claim, not out of mind; those another source wants are its now."""
        await db.execute(self._sql.hold_source, source_id)
        await self._wake(db, await db.fetch(self._sql.hand_over, source_id, self.slot))

    async def resume_source(self, db: asyncpg.Connection, source_id: int) -> None:
        await self._wake(db, await db.fetch(self._sql.resume_source, source_id))

    async def enter(self, db: asyncpg.Connection, machine: str, pid: int) -> int:
        """Enrol a worker; the number it gets owns its leases and its counter slot."""
        worker_id: int = await db.fetchval(self._sql.enter, machine, pid)
        return worker_id

    async def beat(self, db: asyncpg.Connection, figures: Mapping[str, object], asked_at: float) -> bool:
        """Say that we live; True when the database's clock has jumped, and every lease should be renewed.

        `asked_at` lies before the transaction, whose beginning is the time it tells.
        """
        shown = await db.fetchval(self._sql.beat, self.worker_id, figures)
        return shown is not None and self.reckoning.observe(shown, asked_at, time.monotonic())

    async def leave(self, db: asyncpg.Connection) -> None:
        await db.execute(self._sql.leave, self.worker_id)

    async def begin_flush(self, db: asyncpg.Connection, number: int) -> str | None:
        """The lineage of the URLs; None when this batch was committed already and only the answer got lost.

        While the lineage is the same no row has gone: what a batch confirmed after it read it is still there.
        """
        lineage: str | None = await db.fetchval(self._sql.begin_flush, self.worker_id, number)
        return lineage

    async def _wake(self, db: asyncpg.Connection, rows: Iterable[Any]) -> None:
        hosts = {row["host_id"]: row["prio"] for row in rows}
        if hosts:
            await db.execute(self._sql.wake_hosts, list(hosts), list(hosts.values()))

    def _claim_text(self, hosts: int) -> str:
        """The claim with its literals: one prepared statement for each power of two asked for."""
        most = 1 << hosts.bit_length() - 1 if hosts else 0
        text = self._sql.claim.replace("LIMIT 16 -- hosts", f"LIMIT {most}")
        return text.replace("LIMIT 24 -- urls", f"LIMIT {self.options.urls_per_host}")


def _books(notes: Sequence[RequestNote]) -> dict[int, list[RequestNote]]:
    books: dict[int, list[RequestNote]] = {}
    for note in notes:
        books.setdefault(note.key.host_id, []).append(note)
    return dict(sorted(books.items()))
