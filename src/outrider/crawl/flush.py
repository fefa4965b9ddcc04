"""Writes a batch in one commit, then gives its hosts back.

The order matters. A host may only be released after what was learned on it is committed,
or its URLs would be handed out again; and the release is a transaction of its own, because
holding other workers' hosts (ingest) and our own (release) in one transaction deadlocks.
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

if TYPE_CHECKING:  # it needs redis, which few do
    from outrider.crawl.shared_seen import SharedSeen

log = get_logger()

LINGER_S = 0.01
BEHIND_S = 1.0  # a write that takes longer than this is in trouble
DATABASE_PATIENCE_S = 600.0


class Flusher:
    """The one place through which a worker's results reach the database."""

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
        self.holder = ReleaseListener()
        self.shared = shared
        self.sinks = sinks
        self._connection = connection
        self._frontier = frontier
        self._documents = documents
        self._seen = seen
        self._options = options
        self._releases: list[Release] = []
        self._giving_back: list[Release] = []
        self._number = 0
        self._lineage: str | None = None
        self._knock = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._writing_since: float | None = None
        self._awaited: list[asyncio.Future[None]] = []
        self._stopped = False

    @property
    def is_behind(self) -> bool:
        """The database does not take what we have: nobody should fetch more."""
        since = self._writing_since
        return since is not None and time.monotonic() - since > BEHIND_S

    @property
    def unreleased(self) -> set[int]:
        """Hosts that lanes are done with and nobody else can have yet."""
        return {release.lease.host_id for release in (*self._releases, *self._giving_back)}

    def poke(self) -> None:
        """Something was learned; write it soon, at once when there is much."""
        if self.batch.pages >= self._options.flush_pages:
            self._knock.set()

    def release(self, release: Release) -> None:
        """A lane is done with its host."""
        self._releases.append(release)
        self._knock.set()

    async def run(self) -> None:
        """Flush whenever there is reason to, until stopped; the last flush takes everything."""
        while not (self._stopped and not self.batch and not self._releases):
            await self._wait()
            await self.flush()
        if self.shared:
            await self.shared.close()

    def stop(self) -> None:
        self._stopped = True
        self._knock.set()

    async def written(self) -> None:
        """Until all that was learned so far is committed."""
        done = asyncio.get_running_loop().create_future()
        self._awaited.append(done)
        self._knock.set()
        await done

    async def flush(self) -> None:
        """One batch, one commit; then its hosts."""
        async with self._one_at_a_time:
            batch, self.batch = self.batch, Batch()
            self._seen.let_go()
            releases, self._releases = self._releases, []
            awaited, self._awaited = self._awaited, []
            self._writing_since, self._giving_back = time.monotonic(), releases
            woken, due_in_s = await self._write(batch), await self._give_back(releases)
            self._writing_since, self._giving_back = None, []
        self.holder.released(due_in_s, woken - due_in_s.keys())
        for done in awaited:
            if not done.cancelled():
                done.set_result(None)

    async def _write(self, batch: Batch) -> set[int]:
        """One commit; returns the hosts that have something to do since."""
        if not batch:
            return set()
        self._number += 1
        number, links = self._number, batch.links_to_ingest()
        also_wanted = list(batch.also_wanted.values())
        sieve = await self.shared.sieve(links) if self.shared else None
        lineage = self._lineage

        async def write(db: asyncpg.Connection) -> Submitted:
            nonlocal lineage
            begun = await self._frontier.begin_flush(db, number)
            if begun is None:
                return Submitted()
            lineage = begun
            await self._documents.keep(db, list(batch.drafts.values()), self._frontier.slot)
            await self._documents.confirm(db, sorted(batch.confirmed))
            await self._frontier.note_requests(db, batch.notes)
            await self._frontier.learn_templates(db, list(batch.templates.values()))
            await self._frontier.add_counts(db, batch.counts)
            await self._frontier.complete(db, list(batch.completions.values()), list(batch.stood.values()))
            for write_rows, rows in batch.rows.items():
                await write_rows(db, rows)
            for feature_write in batch.writes:
                await feature_write(db)
            # Last, because it locks other workers' hosts until the commit.
            unknown = sieve.sift(lineage) if sieve else links
            submitted = await self._frontier.ingest(db, unknown, self.holder.held())
            await self._frontier.ingest(db, also_wanted, self.holder.held())
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
        if self.shared and sieve:
            await self.shared.confirm(sieve)
        return {link.key.host_id for link in links} if submitted.inserted else set()

    async def _give_back(self, releases: list[Release]) -> dict[int, float]:
        """Returns how soon each is due again."""
        if not releases:
            return {}

        keep = self.holder.wants_back(len(releases))

        async def give_back(db: asyncpg.Connection) -> dict[int, float]:
            return await self._frontier.release(db, releases, keep=keep)

        return await self._connection.run(give_back, patience_s=DATABASE_PATIENCE_S, is_one_statement=True)

    async def _wait(self) -> None:
        """Until somebody knocks or the interval is over; then a moment more, for company."""
        if self._stopped:
            return
        try:
            async with asyncio.timeout(self._options.flush_interval_s):
                await self._knock.wait()
        except TimeoutError:
            pass
        else:
            if self.batch.pages < self._options.flush_pages:
                await asyncio.sleep(LINGER_S)
        self._knock.clear()
