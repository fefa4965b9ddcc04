"""Undated pages of a sitemap: finds the new ones, and bounds how many one poll takes."""

from collections.abc import Sequence

from outrider.crawl.visit import Visit
from outrider.frontier.model import UrlOrigin
from outrider.watch.channels.model import AnnouncedPage, Channel
from outrider.watch.channels.store import ChannelStore
from outrider.watch.polling.announce import sightings_of, submission_of
from outrider.watch.polling.lastmod import MOST_UNDATED

ASKED_AT_ONCE = 1_000


class NewPages:
    """Collects pages slice by slice. A backfill queues every new page in batches; other polls keep a few."""

    def __init__(self, store: ChannelStore, channel: Channel, visit: Visit) -> None:
        self._store = store
        self._channel = channel
        self._visit = visit
        self._waiting: list[AnnouncedPage] = []
        self._found: dict[str, AnnouncedPage] = {}

    @property
    def kept(self) -> list[AnnouncedPage]:
        """The new pages that the poll announces."""
        return list(self._found.values())[:MOST_UNDATED]

    @property
    def is_complete(self) -> bool:
        """Whether one poll takes all new pages."""
        return len(self._found) <= MOST_UNDATED

    async def take(self, pages: Sequence[AnnouncedPage]) -> None:
        if self._channel.backfill or self.is_complete:
            self._waiting += pages
        if len(self._waiting) >= ASKED_AT_ONCE:
            await self.settle()

    async def settle(self) -> None:
        """Look up the collected pages in the database."""
        pages, self._waiting = self._waiting, []
        if not pages:
            return
        most = len(pages) if self._channel.backfill else MOST_UNDATED + 1
        source_id = self._channel.source_id
        new = await self._visit.context.connection.run(
            lambda db: self._store.unknown(db, pages, most, source_id), patience_s=60
        )
        if self._channel.backfill:
            await self._queue(new)
        else:
            self._found |= {page.url: page for page in new}

    async def _queue(self, pages: Sequence[AnnouncedPage]) -> None:
        """Flush at once: a whole backfill does not fit into one batch."""
        store, channel, flusher = self._store, self._channel, self._visit.context.flusher
        entry = self._visit.entry
        flusher.batch.submit(
            submission_of(
                page, channel.source_id, channel.source_priority, UrlOrigin.SITEMAP, entry.key, entry.run_id
            )
            for page in pages
        )
        seen = sightings_of(pages)
        flusher.batch.write(
            lambda db: store.record_sightings(db, channel.channel_id, channel.source_id, seen)
        )
        await flusher.flush()
