"""What visits brought, as one commit records it: completions, new links, history, counters."""

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import asyncpg

from outrider.frontier.chains import end_loops
from outrider.frontier.model import (
    Completion,
    KnownUrl,
    RequestNote,
    Stood,
    Submission,
    SubmissionResult,
    Submitted,
    TemplateNote,
    UrlOrigin,
)
from outrider.frontier.rows import completion_row, link_row, request_row
from outrider.frontier.sharing import Sharing
from outrider.urls import UrlKey
from outrider.worker_registry.store import WorkerRegistry

_WORKERS = WorkerRegistry()
INSERTED, RAISED, OF_OTHERS, OVERTAKEN = 1, 2, 3, 4  # what `ingest` says of a link
ASKED_FOR = frozenset((UrlOrigin.MANUAL, UrlOrigin.REPLAY))  # by a person, who wants a visit now


class Flushes(Sharing):
    """Each batch is applied once, whatever its caller puts beside it in the same transaction."""

    async def begin_flush(self, db: asyncpg.Connection, number: int) -> str | None:
        """The lineage of the URLs; None when this batch was committed already and only the answer got lost.

        While the lineage is the same no row has gone: what a batch confirmed after it read it is still there.
        """
        return await _WORKERS.begin_flush(db, self.worker_id, number)

    async def known_urls(
        self, db: asyncpg.Connection, after: UrlKey, limit: int
    ) -> tuple[str, list[KnownUrl]]:
        """The lineage, and a page of all URLs after a key. One transaction reads both."""
        lineage: str = await db.fetchval(self._sql.url_lineage_now)
        rows = await db.fetch(self._sql.known_urls, after.host_id, after.hash, limit)
        found = [
            KnownUrl(UrlKey(row["host_id"], row["url_hash"].hex), row["source_id"], row["priority"])
            for row in rows
        ]
        return lineage, found

    async def complete(
        self, db: asyncpg.Connection, completions: Sequence[Completion], stood: Sequence[Stood] = ()
    ) -> None:
        """Record what became of addresses, and of shared ones for each source that was served."""
        if not completions:
            return
        await db.execute(self._sql.complete, [completion_row(done) for done in completions], self.slot)
        if stood:
            await self.stand(db, stood)
        moved = {done.key: done.moved_to for done in completions if done.moved_to is not None}
        if moved:
            await end_loops(db, moved, self.slot)

    async def ingest(
        self, db: asyncpg.Connection, links: Sequence[Submission], held: Collection[int] = ()
    ) -> Submitted:
        """Queue what is new. `held` names hosts whose lease the caller surely still has."""
        rows = await self._ingest(db, links, held)
        inserted = sum(row["result"] == INSERTED for row in rows)
        raised = sum(row["result"] == RAISED for row in rows)
        return Submitted(inserted, raised, len(links) - inserted - raised)

    async def submit(
        self, db: asyncpg.Connection, links: Sequence[Submission]
    ) -> dict[UrlKey, SubmissionResult]:
        """The same, and what became of each."""
        named = {INSERTED: SubmissionResult.INSERTED, RAISED: SubmissionResult.RAISED}
        rows = await self._ingest(db, links, ())
        changed = {_key(row): named[row["result"]] for row in rows if row["result"] in named}
        return {link.key: changed.get(link.key, SubmissionResult.KNOWN) for link in links}

    async def _ingest(
        self, db: asyncpg.Connection, links: Sequence[Submission], held: Collection[int]
    ) -> list[Any]:
        """The rows that say what became of the links, but for those that were known."""
        if not links:
            return []
        hosts = {link.key.host_id: link.host for link in links}
        rows: list[Any] = await db.fetch(
            self._sql.ingest,
            [link_row(link) for link in links],
            list(hosts),
            list(hosts.values()),
            list(held),
            self.slot,
        )
        rare = [row for row in rows if row["result"] > RAISED]
        if rare:
            of_others = {(_key(row), row["source_id"]) for row in rare if row["result"] == OF_OTHERS}
            await self._want(db, [link for link in links if (link.key, link.source_id) in of_others])
            # Somebody else inserted some of the links a moment before us: now they are known.
            inserted = {(_key(row), row["source_id"]) for row in rows if row["result"] == INSERTED}
            overtaken = {(_key(row), row["source_id"]) for row in rare if row["result"] == OVERTAKEN}
            late = [link for link in links if (link.key, link.source_id) in overtaken - inserted]
            rows += await self._ingest(db, late, held)
        return rows

    async def _want(self, db: asyncpg.Connection, links: Sequence[Submission]) -> None:
        """Sources want pages of other sources; what a person asks for is wanted now, where it is queued."""
        if not links:
            return
        await self.share(db, links)
        asked: dict[int, list[UrlKey]] = defaultdict(list)
        for link in links:
            if link.origin in ASKED_FOR:
                asked[link.source_id].append(link.key)
        for source_id, keys in sorted(asked.items()):
            await self.wait_again(db, keys, source_id)
            hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
            await self.wake(db, await db.fetch(self._sql.hasten, hosts, hashes))

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


def _books(notes: Sequence[RequestNote]) -> dict[int, list[RequestNote]]:
    books: dict[int, list[RequestNote]] = {}
    for note in notes:
        books.setdefault(note.key.host_id, []).append(note)
    return dict(sorted(books.items()))


def _key(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)
