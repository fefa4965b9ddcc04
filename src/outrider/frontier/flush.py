"""Writes the results of visits in one commit: completions, new links, history, counters."""

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
    SourceResult,
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
INSERTED, RAISED, OF_OTHERS, OVERTAKEN = 1, 2, 3, 4  # the results of `ingest` for a link
ASKED_FOR = frozenset((UrlOrigin.MANUAL, UrlOrigin.REPLAY))  # by a person: the URL is due now


class Flushes(Sharing):
    """Applies each batch once. The caller may write more in the same transaction."""

    async def begin_flush(self, db: asyncpg.Connection, number: int) -> str | None:
        """The lineage of the URLs; None when this batch was committed before and only the answer was lost.

        While the lineage stays the same, no row of `url` has been deleted.
        """
        return await _WORKERS.begin_flush(db, self.worker_id, number)

    async def known_urls(
        self, db: asyncpg.Connection, after: UrlKey, limit: int
    ) -> tuple[str, list[KnownUrl]]:
        """The lineage and a batch of all URLs after a key. The caller reads both in one transaction."""
        lineage: str = await db.fetchval(self._sql.url_lineage_now)
        rows = await db.fetch(self._sql.known_urls, after.host_id, after.hash, limit)
        found = [
            KnownUrl(UrlKey(row["host_id"], row["url_hash"].hex), row["source_id"], row["priority"])
            for row in rows
        ]
        return lineage, found

    async def complete(
        self,
        db: asyncpg.Connection,
        completions: Sequence[Completion],
        source_results: Sequence[SourceResult] = (),
    ) -> None:
        """Record the results of visits, for shared URLs also the state for each source that was served."""
        if not completions:
            return
        await db.execute(self._sql.complete, [completion_row(done) for done in completions], self.slot)
        if source_results:
            await self.record_source_results(db, source_results)
        moved = {done.key: done.moved_to for done in completions if done.moved_to is not None}
        if moved:
            await end_loops(db, moved, self.slot)

    async def ingest(
        self, db: asyncpg.Connection, links: Sequence[Submission], held: Collection[int] = ()
    ) -> Submitted:
        """Queue new URLs. `held` names hosts whose lease the caller certainly still has."""
        rows = await self._ingest(db, links, held)
        inserted = sum(row["result"] == INSERTED for row in rows)
        raised = sum(row["result"] == RAISED for row in rows)
        return Submitted(inserted, raised, len(links) - inserted - raised)

    async def submit(
        self, db: asyncpg.Connection, links: Sequence[Submission]
    ) -> dict[UrlKey, SubmissionResult]:
        """Queue new URLs like `ingest`, and return the result for each."""
        named = {INSERTED: SubmissionResult.INSERTED, RAISED: SubmissionResult.RAISED}
        rows = await self._ingest(db, links, ())
        changed = {_key(row): named[row["result"]] for row in rows if row["result"] in named}
        return {link.key: changed.get(link.key, SubmissionResult.KNOWN) for link in links}

    async def _ingest(
        self, db: asyncpg.Connection, links: Sequence[Submission], held: Collection[int]
    ) -> list[Any]:
        """A row with the result for each link, except for links that were known."""
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
            # Another worker inserted some of the links a moment ago: now they are known.
            inserted = {(_key(row), row["source_id"]) for row in rows if row["result"] == INSERTED}
            overtaken = {(_key(row), row["source_id"]) for row in rare if row["result"] == OVERTAKEN}
            late = [link for link in links if (link.key, link.source_id) in overtaken - inserted]
            rows += await self._ingest(db, late, held)
        return rows

    async def _want(self, db: asyncpg.Connection, links: Sequence[Submission]) -> None:
        """Share pages of other sources. Queued pages that a person asks for become due now."""
        if not links:
            return
        await self.share(db, links)
        await self.queue_withdrawn(db, links)
        asked: dict[int, list[UrlKey]] = defaultdict(list)
        for link in links:
            if link.origin in ASKED_FOR:
                asked[link.source_id].append(link.key)
        for source_id, keys in sorted(asked.items()):
            await self.mark_pending(db, keys, source_id)
            hosts, hashes = [key.host_id for key in keys], [key.hash for key in keys]
            await self.wake(db, await db.fetch(self._sql.make_due, hosts, hashes))

    async def note_requests(self, db: asyncpg.Connection, notes: Sequence[RequestNote]) -> None:
        """Append to the history, and add to the statistics of each host."""
        if not notes:
            return
        now = time.monotonic()
        await db.execute(self._sql.note_requests, [request_row(note, now) for note in notes], self.worker_id)
        by_host = _by_host(notes)
        await db.execute(
            self._sql.note_hosts,
            list(by_host),
            [len(of_host) for of_host in by_host.values()],
            [sum(note.is_page for note in of_host) for of_host in by_host.values()],
            [sum(note.is_error for note in of_host) for of_host in by_host.values()],
            [sum(note.wire_bytes for note in of_host) for of_host in by_host.values()],
            [sum(note.elapsed_ms for note in of_host) for of_host in by_host.values()],
            [of_host[-1].status for of_host in by_host.values()],
            [of_host[-1].outcome if of_host[-1].is_error else None for of_host in by_host.values()],
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
        """URL templates that stopped yielding anything new, as any worker recorded them."""
        return {row["template"] for row in await db.fetch(self._sql.barren_templates, limit)}


def _by_host(notes: Sequence[RequestNote]) -> dict[int, list[RequestNote]]:
    by_host: dict[int, list[RequestNote]] = {}
    for note in notes:
        by_host.setdefault(note.key.host_id, []).append(note)
    return dict(sorted(by_host.items()))


def _key(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)
