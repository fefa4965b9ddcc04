"""Many workers reach the database through PgBouncer in transaction mode, over a handful of connections."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from tests.support.command import outrider_meanwhile
from tests.support.make import completion, draft, keep_documents, submission
from tests.support.pooler import PROGRAM, SERVER_CONNECTIONS, Pooled, pooled_server
from tests.support.site import Plan, Site

from outrider.db import migrate
from outrider.db.pool import open_pool
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured
from outrider.frontier.lease import Release
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.worker_registry.store import WorkerRegistry

WORKERS = 150
HOSTS = 300
PAGES = 40

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not installed")


@pytest.fixture
async def pooled(data_dir: Path) -> AsyncIterator[Pooled]:
    with pooled_server(data_dir) as server:
        db = await asyncpg.connect(server.direct)
        await migrate.ensure_current(db, automatic=True)
        await db.close()
        yield server


class PooledWorker:
    """The work of a worker, with its own statements, on its own connection."""

    def __init__(self, dsn: str) -> None:
        self.connection = ReconnectingConnection(dsn, application_name="outrider worker", through_pooler=True)
        self.store = FrontierStore(FrontierOptions())
        self.fetched: list[str] = []

    async def enter(self, number: int) -> None:
        worker_id = await self.connection.run(lambda db: WorkerRegistry().register(db, "elsewhere", number))
        self.store = FrontierStore(FrontierOptions(), worker_id)

    async def work(self) -> None:
        """Claim, keep, complete and release, until nothing is due."""
        while leases := await self.connection.run(lambda db: self.store.claim(db, 4), patience_s=30):
            entries = [entry for lease in leases for entry in lease.entries]

            async def flush(db: asyncpg.Connection, entries=entries) -> None:
                await keep_documents(db, [draft(entry.url) for entry in entries], self.store.slot)
                await self.store.complete(db, [completion(entry) for entry in entries])

            await self.connection.run(flush, patience_s=30)
            releases = [Release(lease, lease.state, 0.0) for lease in leases]
            await self.connection.run(
                lambda db, releases=releases: self.store.release(db, releases), patience_s=30
            )
            self.fetched += [entry.url for entry in entries]


async def test_150_workers_claim_keep_and_release_over_ten_connections(pooled):
    workers = [PooledWorker(pooled.dsn) for _ in range(WORKERS)]
    await asyncio.gather(*(worker.enter(number) for number, worker in enumerate(workers)))
    urls = [f"http://h{number}.test/" for number in range(HOSTS)]
    first = workers[0]
    await first.connection.run(lambda db: first.store.ingest(db, [submission(url) for url in urls]))

    await asyncio.gather(*(worker.work() for worker in workers))

    watcher = await asyncpg.connect(pooled.direct)
    used = await watcher.fetchval(
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    )
    kept = await watcher.fetchval("SELECT count(*) FROM document")
    await watcher.close()
    for worker in workers:
        await worker.connection.close()
    assert sorted(url for worker in workers for url in worker.fetched) == sorted(urls)
    assert kept == HOSTS
    assert used - 1 <= SERVER_CONNECTIONS


async def test_a_crawl_through_a_pooler_is_a_crawl_like_any_other(pooled, tmp_path):
    settings = {"OUTRIDER_DATABASE_URL": pooled.dsn, "OUTRIDER_DATABASE_POOLER": "true"}
    with Site.start(tmp_path, Plan(pages=PAGES)) as site:
        command = ("crawl", site.url, "--depth", "10", "--json", "--workers", "2")
        first = await outrider_meanwhile(*command, settings=settings)
        again = await outrider_meanwhile(*command, settings=settings)

    assert (first.code, again.code) == (0, 0), first.err + again.err
    assert first.lines[-1]["new"] == PAGES
    assert again.lines[-1]["new"] == 0
    db = await asyncpg.connect(pooled.direct)
    held = await db.fetchval("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
    await db.close()
    assert held == 0


async def test_a_pooler_without_a_setting_is_recognised(pooled):
    with pytest.raises(Misconfigured, match="leads to a connection pooler: set OUTRIDER_DATABASE_POOLER"):
        await open_pool(pooled.dsn, size=1, application_name="t")
