"""Writes a batch in one commit, then releases its hosts.

The order matters. A host is released only after its results are committed, or another worker would
claim the same URLs again. The release is a second transaction, because one transaction that locks
other workers' hosts (ingest) and this worker's hosts (release) would deadlock.
"""

import asyncio
import time
from typing import TYPE_CHECKING

import asyncpg

from outrider.crawl.batch import Batch
from outrider.crawl.options import CrawlOptions
from outrider.crawl.release_listener import ReleaseListener
from outrider.crawl.seen import REFUSED, SeenUrls
from outrider.crawl.sinks import SinkQueue
from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.store import DocumentStore
from outrider.frontier.lease import Release
from outrider.frontier.model import Submitted
from outrider.frontier.store import FrontierStore
from outrider.logs import get_logger

if TYPE_CHECKING:  # it needs the redis package, which is optional
    from outrider.crawl.shared_seen import SharedSeen

log = get_logger()

LINGER_S = 0.01
BEHIND_S = 1.0  # a write that takes longer than this means that the database is behind
DATABASE_PATIENCE_S = 600.0


class Flusher:
    """Writes all results of a worker to the database."""

    def __init__(
        self,
        connection: ReconnectingConnection,
        frontier: FrontierStore,
        documents: DocumentStore,
        seen: SeenUrls,
        options: CrawlOptions,
        *,
        shared: "SharedSeen | None" = None,
        sinks: SinkQueue | None = None,
    ) -> None:
        self.batch = Batch()
        self.release_listener = ReleaseListener()
        self.shared = shared
        self.sinks = sinks
        self._connection = connection
        self._frontier = frontier
        self._documents = documents
        self._seen = seen
        self._options = options
        self._releases: list[Release] = []
        self._releasing: list[Release] = []
        self._number = 0
        self._lineage: str | None = None
        self._wake = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._writing_since: float | None = None
        self._awaited: list[asyncio.Future[None]] = []
        self._stopped = False

    @property
    def is_behind(self) -> bool:
        """Whether the database is too slow for the results: the worker should claim no more hosts."""
        since = self._writing_since
        return since is not None and time.monotonic() - since > BEHIND_S

    @property
    def unreleased(self) -> set[int]:
        """Hosts whose lanes have ended and whose leases are not released yet."""
        return {release.lease.host_id for release in (*self._releases, *self._releasing)}

    def schedule_flush(self) -> None:
        """Results were added: flush soon, or at once when the batch is large."""
        if self.batch.pages >= self._options.flush_pages:
            self._wake.set()

    def release(self, release: Release) -> None:
        """Release the host of a lane that has ended, after the next commit."""
        self._releases.append(release)
        self._wake.set()

    async def run(self) -> None:
        """Flush when there are results, until stopped; the last flush writes everything."""
        while not (self._stopped and not self.batch and not self._releases):
            await self._wait()
            await self.flush()
        if self.shared:
            await self.shared.close()

    def stop(self) -> None:
        self._stopped = True
        self._wake.set()

    async def written(self) -> None:
        """Wait until all results so far are committed."""
        done = asyncio.get_running_loop().create_future()
        self._awaited.append(done)
        self._wake.set()
        await done

    async def flush(self) -> None:
        """Write the batch in one commit, then release its hosts."""
        async with self._one_at_a_time:
            batch, self.batch = self.batch, Batch()
            self._seen.begin_write()
            releases, self._releases = self._releases, []
            awaited, self._awaited = self._awaited, []
            self._writing_since, self._releasing = time.monotonic(), releases
            woken, due_in_s = await self._write(batch), await self._release_hosts(releases)
            self._writing_since, self._releasing = None, []
        self.release_listener.released(due_in_s, woken - due_in_s.keys())
        for done in awaited:
            if not done.cancelled():
                done.set_result(None)

    async def _write(self, batch: Batch) -> set[int]:
        """Commit the batch; returns the hosts that have due URLs because of it."""
        if not batch:
            return set()
        self._number += 1
        number, links = self._number, batch.links_to_ingest()
        also_wanted = list(batch.also_wanted.values())
        link_filter = await self.shared.filter_for(links) if self.shared else None
        lineage = self._lineage

        async def write(db: asyncpg.Connection) -> Submitted:
            nonlocal lineage
            begun = await self._frontier.begin_flush(db, number)
            if begun is None:
                return Submitted()
            lineage = begun
            counts = await self._documents.keep(db, list(batch.drafts.values()))
            counts.update(batch.counts)
            await self._documents.confirm(db, sorted(batch.confirmed))
            await self._frontier.note_requests(db, batch.notes)
            await self._frontier.learn_templates(db, list(batch.templates.values()))
            await self._frontier.add_counts(db, counts)
            await self._frontier.add_run_counts(db, batch.run_counts.flat())
            await self._frontier.complete(
                db, list(batch.completions.values()), list(batch.source_results.values())
            )
            for write_rows, rows in batch.rows.items():
                await write_rows(db, rows)
            for feature_write in batch.writes:
                await feature_write(db)
            # The ingest comes last, because it locks other workers' hosts until the commit.
            unknown = link_filter.links_for(lineage) if link_filter else links
            submitted = await self._frontier.ingest(db, unknown, self.release_listener.held())
            await self._frontier.ingest(db, also_wanted, self.release_listener.held())
            return submitted

        started = time.perf_counter()
        submitted = await self._connection.run(write, patience_s=DATABASE_PATIENCE_S)
        log.debug(
            "batch written",
            pages=batch.pages,
            links=len(links),
            took_ms=round((time.perf_counter() - started) * 1000),
        )
        if self.sinks is not None and batch.fetched:
            self.sinks.deliver(batch.fetched)
        if lineage != self._lineage:
            self._seen.forget()
            self._lineage = lineage
        self._seen.add(link.seen for link in (*links, *also_wanted) if link.seen)
        self._seen.add((key, REFUSED) for key in batch.refused)
        if self.shared and link_filter:
            await self.shared.confirm(link_filter)
        return {link.key.host_id for link in links} if submitted.inserted else set()

    async def _release_hosts(self, releases: list[Release]) -> dict[int, float]:
        """Release hosts; returns in how many seconds each is due again."""
        if not releases:
            return {}

        keep = self.release_listener.hosts_to_reserve(len(releases))

        async def release(db: asyncpg.Connection) -> dict[int, float]:
            return await self._frontier.release(db, releases, keep=keep)

        return await self._connection.run(release, patience_s=DATABASE_PATIENCE_S, is_one_statement=True)

    async def _wait(self) -> None:
        """Wait for `schedule_flush` or the end of the interval, then briefly for further results."""
        if self._stopped:
            return
        try:
            async with asyncio.timeout(self._options.flush_interval_s):
                await self._wake.wait()
        except TimeoutError:
            pass
        else:
            if self.batch.pages < self._options.flush_pages:
                await asyncio.sleep(LINGER_S)
        self._wake.clear()
