"""A whole worker in the test's own event loop, on a real database."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.make import Operator
from tests.support.site import Answer, Site

from outrider.app import worker_context_for
from outrider.crawl.options import CrawlOptions
from outrider.crawl.seeds import start
from outrider.crawl.sinks import PageSink
from outrider.db.reconnecting import ReconnectingConnection
from outrider.fetch import FetchOptions
from outrider.fetch.guard import networks_of
from outrider.frontier.stats import StatsStore
from outrider.hosts.options import HostOptions
from outrider.settings import Settings
from outrider.sources.policy import Policy
from outrider.urls import host_id_of
from outrider.worker_registry.store import WorkerRegistry
from outrider.workers.worker import Worker

SOON_S = 5.0  # what is due later than this is for another day


@dataclass
class Crawl:
    """Crawls on one database, each run by a fresh worker, as after a restart."""

    dsn: str
    operator: Operator
    settings: Settings = field(
        default_factory=lambda: Settings(
            crawl=CrawlOptions(flush_interval_s=0.02),
            hosts=HostOptions(delay_ms=0),
            fetch=FetchOptions(allow_private=networks_of(["127.0.0.0/8"]), timeout_s=10.0),
        )
    )

    sinks: Sequence[PageSink] = ()

    def set(self, section: str, **values: Any) -> None:
        self.settings = replace(
            self.settings, **{section: replace(getattr(self.settings, section), **values)}
        )

    async def seed(self, *urls: str, **policy: Any) -> int:
        """Queue the seeds of a crawl; returns its source."""
        asked = Policy(seeds=urls, **policy)
        store = self.operator.store
        begun = await self.operator.run(lambda db: start(db, asked, store, StatsStore()))
        return begun.source.source_id

    async def run(self, workers: int = 1) -> None:
        """Work until nothing is due soon, then stop in good order."""
        # A host stays reserved for half a second for the worker that released it, and that worker is gone.
        await self.operator.run(lambda db: db.execute("UPDATE host SET kept_for = NULL"))
        busy = (
            "SELECT EXISTS (SELECT FROM host WHERE lease_owner IS NOT NULL "
            "OR due_at < now() + $1::float8 * interval '1 second')"
        )
        await asyncio.gather(*(self._work(busy, SOON_S) for _ in range(workers)))

    async def run_pages(self, pages: int, workers: int = 1) -> None:
        """Work until that many pages were written: what is left is held back by the page limit."""
        busy = "SELECT coalesce(sum(value), 0) < $1::int FROM counter WHERE name = 'pages'"
        await asyncio.gather(*(self._work(busy, pages) for _ in range(workers)))

    async def run_until_given_back(self, host: str) -> None:
        """Work until this host was leased once and is free again."""
        busy = "SELECT lease_seq = 0 OR lease_owner IS NOT NULL FROM host WHERE host_id = $1"
        await self._work(busy, host_id_of(host))

    async def _work(self, busy: str, bound: float) -> None:
        connections = [
            ReconnectingConnection(self.dsn, application_name=f"tests {name}")
            for name in ("claim", "flush", "ask", "side", "log")
        ]
        claim_connection, flush_connection, lane_connection, side_connection, log_connection = connections
        worker_id = await claim_connection.run(lambda db: WorkerRegistry().register(db, "tests", os.getpid()))
        context = worker_context_for(
            self.settings,
            worker_id,
            flush_connection=flush_connection,
            lane_connection=lane_connection,
            log_connection=log_connection,
            sinks=self.sinks,
        )
        worker = Worker(context, claim_connection, side_connection)
        working = asyncio.create_task(worker.run())
        try:
            async with asyncio.timeout(60):
                await self._wait_while(busy, bound, working)
        finally:
            worker.stop()
            await asyncio.wait([working])
            await context.fetcher.close()
            for connection in connections:
                await connection.close()
        working.result()

    async def _wait_while(self, busy: str, bound: float, working: "asyncio.Task[None]") -> None:
        while not working.done() and await self.operator.run(lambda db: db.fetchval(busy, bound)):
            await self.operator.run(lambda db: db.execute("SELECT pg_sleep(0.02)"))

    async def forget_waits(self) -> None:
        """What time would do: every retry and every pause is over."""
        await self.operator.run(
            lambda db: db.execute("UPDATE url SET next_fetch_at = now() WHERE next_fetch_at IS NOT NULL")
        )
        await self.operator.run(
            lambda db: db.execute(
                "UPDATE host SET due_at = now(), next_allowed_at = now() WHERE due_at IS NOT NULL"
            )
        )

    async def pass_days(self, days: int) -> None:
        """What was fetched and what redirected happened so many days earlier."""
        for statement in (
            "UPDATE document SET fetched_at = fetched_at - $1 * interval '1 day', "
            "first_seen_at = first_seen_at - $1 * interval '1 day'",
            "UPDATE redirect_hop SET first_seen_at = first_seen_at - $1 * interval '1 day', "
            "last_seen_at = last_seen_at - $1 * interval '1 day'",
        ):
            await self.operator.run(lambda db, statement=statement: db.execute(statement, days))

    async def row(self, url: str) -> Any:
        """The URL as `url_frontier` shows it."""
        row = await self.operator.run(
            lambda db: db.fetchrow("SELECT * FROM url_frontier WHERE url = $1", url)
        )
        assert row is not None, f"{url} is not in the frontier"
        return row

    async def states(self) -> dict[str, str]:
        """Every page's status, a dead one's with its reason."""
        rows = await self.operator.run(
            lambda db: db.fetch("SELECT url, status, last_error FROM url_frontier WHERE kind = 'page'")
        )
        return {
            row["url"]: f"dead: {row['last_error']}" if row["status"] == "dead" else row["status"]
            for row in rows
        }

    async def document(self, url: str) -> Any:
        return await self.operator.run(
            lambda db: db.fetchrow(
                "SELECT d.*, packed_text(d.text_id) AS text "
                "FROM document d JOIN url u USING (host_id, url_hash) WHERE u.url = $1",
                url,
            )
        )


def paths(site: Site) -> list[str]:
    """What a site was asked for, in order, besides its robots.txt."""
    return [asked.path for asked in site.log() if asked.path != "/robots.txt"]


def plain(text: str) -> Answer:
    """A text file, as robots.txt is one."""
    return Answer(body=text, headers={"Content-Type": "text/plain"})
