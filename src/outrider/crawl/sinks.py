"""Hands fetched pages to sinks (search, archive) after their commit, without the crawl waiting for them.

    handler ── collect ──▶ batch ── commit ──▶ deliver ──▶ queue ── run ──▶ every sink

All pages that are held for sinks together, from `collect` until the sinks have stored them, are bounded in
count and bytes. A page that does not fit is counted and dropped: sinks complete themselves from the database.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, Protocol

from outrider.clock import Clock, SystemClock
from outrider.fetch.outcome import Fetched
from outrider.frontier.model import Entry
from outrider.logs import get_logger
from outrider.urls import UrlKey

log = get_logger()

MOST_PAGES = 1_000
MOST_BYTES = 64 << 20
AT_ONCE = 50  # pages in one call of a sink
STORE_S = 60.0  # a sink that takes longer for one call has failed
DRAIN_S = 5.0  # at the end of the worker
LOG_EVERY = 1_000  # dropped pages


class FetchedPage(NamedTuple):
    """A fetched page whose completion and document are committed."""

    key: UrlKey
    source_id: int
    url: str  # of the entry
    fetched_at: datetime
    answer: Fetched  # status, headers, the body without its content encoding, and the URL that was requested


class PageSink(Protocol):
    """A store for the bytes of pages. It may get the same page again after each fetch."""

    name: str  # for the log

    async def store(self, pages: Sequence[FetchedPage]) -> None:
        """Store some pages, without blocking the event loop of the crawl.

        When a sink raises, the queue logs it and still gives the sink the next pages.
        """


class SinkQueue:
    """The pages of one worker on their way to its sinks."""

    def __init__(
        self,
        sinks: Sequence[PageSink],
        *,
        most_pages: int = MOST_PAGES,
        most_bytes: int = MOST_BYTES,
        store_s: float = STORE_S,
        clock: Clock | None = None,
    ) -> None:
        self._sinks = sinks
        self._most_pages = most_pages
        self._most_bytes = most_bytes
        self._store_s = store_s
        self._clock = clock or SystemClock()
        self._held_pages = 0
        self._held_bytes = 0
        self._waiting: deque[FetchedPage] = deque()
        self._has_pages = asyncio.Event()
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self.counts: Counter[str] = Counter()  # pages stored, dropped and failed

    def collect(self, pages: dict[UrlKey, FetchedPage], entry: Entry, answer: Fetched) -> None:
        """Keep a page until its batch is committed, if there is room for it."""
        if (replaced := pages.pop(entry.key, None)) is not None:
            self._let_go((replaced,))
        size = len(answer.body)
        if self._held_pages >= self._most_pages or self._held_bytes + size > self._most_bytes:
            self._drop(1)
            return
        self._held_pages += 1
        self._held_bytes += size
        pages[entry.key] = FetchedPage(entry.key, entry.source_id, entry.url, self._clock.now(), answer)

    def deliver(self, pages: Mapping[UrlKey, FetchedPage]) -> None:
        """Queue the pages of a committed batch for the sinks."""
        self._waiting.extend(pages.values())
        self._is_idle.clear()
        self._has_pages.set()

    async def run(self) -> None:
        """Give the sinks the queued pages, until cancelled."""
        while True:
            await self._has_pages.wait()
            pages = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            try:
                await asyncio.gather(*[self._store(sink, pages) for sink in self._sinks])
            finally:
                self._let_go(pages)
            del pages
            if not self._waiting:
                self._has_pages.clear()
                self._is_idle.set()

    async def drain(self, patience_s: float = DRAIN_S) -> None:
        """Wait until all delivered pages are stored, but no longer than this. The rest is dropped."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await self._is_idle.wait()
                return
        self._drop(self._held_pages)
        log.warning("pages not given to sinks before the end", pages=self._held_pages)

    async def _store(self, sink: PageSink, pages: Sequence[FetchedPage]) -> None:
        try:
            async with asyncio.timeout(self._store_s):
                await sink.store(pages)
        except Exception:
            self.counts["failed"] += len(pages)
            log.exception("sink failed", sink=sink.name, pages=len(pages))
        else:
            self.counts["stored"] += len(pages)

    def _let_go(self, pages: Iterable[FetchedPage]) -> None:
        for page in pages:
            self._held_pages -= 1
            self._held_bytes -= len(page.answer.body)

    def _drop(self, count: int) -> None:
        before = self.counts["dropped"]
        self.counts["dropped"] += count
        if before == 0 or before // LOG_EVERY != (before + count) // LOG_EVERY:
            log.warning("sinks are slower than the crawl, pages are dropped", dropped=before + count)

    def figures(self) -> dict[str, object]:
        """Counters for the heartbeat of the worker."""
        return {
            "sink_pages": self._held_pages,
            "sink_bytes": self._held_bytes,
            **{f"sink_{name}": self.counts[name] for name in ("stored", "dropped", "failed")},
        }
