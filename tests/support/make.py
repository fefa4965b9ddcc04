"""Rows made the way the crawler makes them: through the stores, on connections shaped like a worker's."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from hashlib import sha256
from typing import Any, Self, TypeVar

import asyncpg

from outrider.db.reconnecting import ReconnectingConnection
from outrider.documents.model import Draft
from outrider.documents.packing import pack, pack_links
from outrider.documents.store import DocumentStore
from outrider.frontier.lease import Lease, Release
from outrider.frontier.model import Completion, Entry, EntryKind, Submission, Submitted, Totals, UrlOrigin
from outrider.frontier.options import FrontierOptions
from outrider.frontier.stats import StatsStore
from outrider.frontier.store import FrontierStore
from outrider.hrefs import Hrefs
from outrider.sources.crawl_commands import ensure_crawl
from outrider.sources.policy import Policy
from outrider.urls import host_id_of, host_of, key_of
from outrider.worker_registry.store import WorkerRegistry

T = TypeVar("T")

STATES = ("new", "pending", "fetched", "dead", "alias")
ADHOC = 1


def submission(url: str, priority: int = 5, **changes: Any) -> Submission:
    made = Submission(key=key_of(url), url=url, host=host_of(url), priority=priority, source_id=ADHOC)
    return made._replace(**changes)


def entry(url: str, **changes: Any) -> Entry:
    """As a claim would hand it out, never fetched before."""
    made = Entry(
        key=key_of(url),
        url=url,
        priority=5,
        source_id=ADHOC,
        origin=UrlOrigin.MANUAL,
        kind=EntryKind.PAGE,
        depth=0,
        attempts=0,
        fetches=0,
        hops=0,
        via=None,
        etag=None,
        last_modified=None,
    )
    return made._replace(**changes)


def completion(of: Entry | str, **changes: Any) -> Completion:
    """A success, unless `changes` say otherwise."""
    if isinstance(of, str):
        of = entry(of)
    known = Completion(
        key=of.key,
        url=of.url,
        source_id=of.source_id,
        origin=of.origin,
        kind=of.kind,
        priority=of.priority,
        depth=of.depth,
        fetches=of.fetches,
        run_id=of.run_id,
    )
    return known._replace(**({"status": 200} | changes))


def draft(url: str, text: str = "", **changes: Any) -> Draft:
    """A page that says `text`; without one, something no other page says."""
    text = text or f"All there is to read at {url} and nowhere else."
    made = Draft(
        key=key_of(url),
        source_id=ADHOC,
        status=200,
        size=len(text),
        words=len(text.split()),
        content_hash=sha256(text.encode()).digest(),
        is_comparable=True,
        base=url,
        text=pack(text),
        links=pack_links(Hrefs()),
    )
    return made._replace(**changes)


async def keep_documents(db: asyncpg.Connection, drafts: Sequence[Draft], slot: int = 0) -> None:
    """Store pages and count them, as a flush does."""
    counts = await DocumentStore().keep(db, drafts)
    await FrontierStore(FrontierOptions(), slot).add_counts(db, counts)


async def unnamed_texts(db: asyncpg.Connection) -> int:
    """How many stored texts belong to no document and no version."""
    count: int = await db.fetchval(
        "SELECT count(DISTINCT text_id) FROM document_text WHERE text_id NOT IN "
        "(SELECT text_id FROM document WHERE text_id IS NOT NULL "
        "UNION ALL SELECT text_id FROM document_version WHERE text_id IS NOT NULL)"
    )
    return count


class Operator:
    """One worker's access to the frontier: enrolled, with a line of its own."""

    def __init__(self, connection: ReconnectingConnection, store: FrontierStore) -> None:
        self.connection = connection
        self.store = store

    @classmethod
    async def enter(cls, dsn: str, options: FrontierOptions | None = None) -> Self:
        options = options or FrontierOptions()
        connection = ReconnectingConnection(dsn, application_name="tests operator")
        worker_id = await connection.run(lambda db: WorkerRegistry().register(db, "tests", os.getpid()))
        return cls(connection, FrontierStore(options, worker_id))

    async def run(self, work: Callable[[asyncpg.Connection], Awaitable[T]]) -> T:
        return await self.connection.run(work, patience_s=20)

    async def queue(self, *urls: str, priority: int = 5, **changes: Any) -> Submitted:
        return await self.ingest([submission(url, priority, **changes) for url in urls])

    async def ingest(self, links: Collection[Submission], held: Collection[int] = ()) -> Submitted:
        return await self.run(lambda db: self.store.ingest(db, list(links), held))

    async def claim(self, hosts: int = 16, own: Collection[int] = ()) -> list[Lease]:
        return await self.run(lambda db: self.store.claim(db, hosts, own))

    async def claim_one(self) -> Lease:
        [lease] = await self.claim(1)
        return lease

    async def complete(self, *completions: Completion) -> None:
        await self.run(lambda db: self.store.complete(db, completions))

    async def release(self, *leases: Lease, wait_s: float = 0.0, keep: float = 0) -> dict[int, float]:
        releases = [Release(lease, lease.state, wait_s) for lease in leases]
        return await self.run(lambda db: self.store.release(db, releases, keep=keep))

    async def requeue(self, *urls: str, priority: int | None = None) -> int:
        return await self.run(lambda db: self.store.requeue(db, [key_of(url) for url in urls], priority))

    async def new_source(self, name: str) -> int:
        source = await self.run(lambda db: ensure_crawl(db, name, Policy()))
        return source.source_id

    async def totals(self, source_id: int | None = None) -> Totals:
        return await self.run(lambda db: StatsStore().totals(db, source_id))

    async def row(self, url: str) -> Any:
        row = await self.run(lambda db: StatsStore().find(db, key_of(url)))
        assert row is not None, f"{url} is not in the frontier"
        return row

    async def state(self, url: str) -> str:
        return STATES[(await self.row(url))["state"]]

    async def host(self, host: str) -> Any:
        return await self.run(
            lambda db: db.fetchrow("SELECT * FROM host WHERE host_id = $1", host_id_of(host))
        )

    async def set_host(self, host: str, **columns: str) -> None:
        """Change a host's row by hand; values are SQL, so that times are the database's own."""
        changes = ", ".join(f"{name} = {value}" for name, value in columns.items())
        await self.run(
            lambda db: db.execute(f"UPDATE host SET {changes} WHERE host_id = $1", host_id_of(host))
        )

    async def let_lease_run_out(self, host: str) -> None:
        """What time would do: the lease of this host ends now."""
        await self.set_host(host, due_at="now()")

    async def make_due(self, *urls: str) -> None:
        """What time would do: the waits of these URLs and of their hosts are over."""
        keys = [key_of(url) for url in urls]
        await self.run(
            lambda db: db.execute(
                "UPDATE url SET next_fetch_at = now() "
                "WHERE next_fetch_at IS NOT NULL AND url_hash = ANY ($1::uuid[])",
                [key.hash for key in keys],
            )
        )
        await self.run(
            lambda db: db.execute(
                "UPDATE host SET due_at = now(), next_allowed_at = now() "
                "WHERE due_at IS NOT NULL AND lease_owner IS NULL AND host_id = ANY ($1::bigint[])",
                [key.host_id for key in keys],
            )
        )

    async def until_a_lock_is_awaited(self) -> None:
        """How a race is forced: go on when the other side is known to stand still."""
        waiting = (
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        async with asyncio.timeout(30):
            while not await self.run(lambda db: db.fetchval(waiting)):
                await self.run(lambda db: db.execute("SELECT pg_sleep(0.005)"))


def urls_of(leases: Iterable[Lease]) -> list[str]:
    """What was handed out, in the order of handing out."""
    return [entry.url for lease in leases for entry in lease.entries]
