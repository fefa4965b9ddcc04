"""The runs of sources: what a run of a source fetches first, and what it is compared by.

A source that follows links begins at its front page. A source with feeds and sitemaps polls them: all of them
if an operator asks, else those whose last poll is older than half the interval of the job, because feeds are
also polled at intervals of their own.
"""

from datetime import timedelta
from hashlib import sha256

import asyncpg

from outrider.db.queries import Queries
from outrider.frontier.store import FrontierStore
from outrider.runs.model import Run, StartedBy
from outrider.sources.model import Source
from outrider.urls import UrlKey, key_of
from outrider.watch.source_service import front_page

_SQL = Queries.load("outrider.watch")


class SourceRuns:
    """Starts runs of sources."""

    def __init__(self, frontier: FrontierStore) -> None:
        self._frontier = frontier

    async def start(
        self, db: asyncpg.Connection, source: Source, run: Run, interval: timedelta | None
    ) -> None:
        """Queue the first entries of a run, and what an earlier, cancelled run left. One transaction.

        Pages that were found before the run began, because the front page is visited as soon as its source is
        added, join the run: a run is not over while they wait.
        """
        keys: list[UrlKey] = []
        if source.mode.follows_links:
            page = front_page(source)
            await self._frontier.ingest(db, [page._replace(run_id=run.run_id)])
            keys += await self._frontier.redirect_chain(db, [page.key])
            await self._frontier.join_run_on_host(db, page.key.host_id, source.source_id, run.run_id)
        if source.mode.polls:
            is_routine = run.started_by is StartedBy.SCHEDULE and interval is not None
            age_s = interval.total_seconds() / 2 if interval is not None and is_routine else 0.0
            rows = await db.fetch(_SQL.channels_of_run, source.source_id, age_s)
            keys += [UrlKey(row["host_id"], row["url_hash"].hex) for row in rows]
        if keys:
            await self._frontier.queue_for_run(db, keys, run.run_id, source.source_id)
        await self._frontier.requeue_withdrawn(db, source.source_id, run.run_id)

    async def content_hash(self, db: asyncpg.Connection, source: Source) -> str | None:
        """A hash over the text of the front page and the changes of the feeds; None if nothing was read."""
        key = key_of(source.url)
        parts = await db.fetch(_SQL.content_of_source, source.source_id, key.host_id, key.hash)
        if not parts:
            return None
        return sha256("\n".join(row["part"] for row in parts).encode()).hexdigest()
