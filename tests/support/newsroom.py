"""Sites that publish, in this very process, and an engine that watches them on a clock that can be moved.

The engine is the crawler's own desk, lanes and flusher; only the loop around them is the test's, so that a
day passes in seconds: the waits stored in the database are shortened by what the clock is moved.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Self

import asyncpg
from aiohttp import web
from tests.support.readers import KeptReaders

from outrider.app import worker_context_for
from outrider.crawl.lane import work
from outrider.crawl.worker_context import WorkerContext
from outrider.db.reconnecting import ReconnectingConnection
from outrider.feeds.options import FeedOptions
from outrider.fetch.guard import networks_of
from outrider.fetch.options import FetchOptions
from outrider.frontier.model import EntryKind
from outrider.frontier.options import FrontierOptions
from outrider.hosts.options import HostOptions
from outrider.settings import Settings
from outrider.urls import key_of, normalize
from outrider.watch.channels.model import NewChannel
from outrider.watch.channels.store import ChannelStore
from outrider.watch.handlers import channel_handlers
from outrider.worker_registry.store import WorkerRegistry

# No host becomes due before now: the claim remembers, for a few seconds, where the due ones begin.
_QUEUE = (
    "UPDATE url SET next_fetch_at = next_fetch_at - $1::interval WHERE next_fetch_at IS NOT NULL",
    "UPDATE host SET due_at = greatest(due_at - $1::interval, now()) WHERE due_at > now()",
    "UPDATE host SET next_allowed_at = next_allowed_at - $1::interval "
    "WHERE next_allowed_at < 'infinity' AND next_allowed_at > '-infinity'",
    "UPDATE subscription SET ask_at = ask_at - $1::interval, pushed_until = pushed_until - $1::interval",
    "UPDATE robots SET expires_at = expires_at - $1::interval, fetched_at = fetched_at - $1::interval",
)
_HISTORY = (
    "UPDATE channel SET polled_at = polled_at - $1::interval, disabled_at = disabled_at - $1::interval",
    "UPDATE source SET searched_at = searched_at - $1::interval",
    "UPDATE sighting SET seen_at = seen_at - $1::interval",
    "UPDATE document SET fetched_at = fetched_at - $1::interval, changed_at = changed_at - $1::interval, "
    "first_seen_at = first_seen_at - $1::interval",
    "UPDATE redirect_hop SET first_seen_at = first_seen_at - $1::interval, "
    "last_seen_at = last_seen_at - $1::interval",
)


class MovableClock:
    """The time it is, plus what was skipped."""

    def __init__(self) -> None:
        self.skipped = timedelta(0)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.skipped


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the site saw it, by the movable clock."""

    address: str
    path: str
    at: datetime
    started_ms: float
    ended_ms: float
    headers: Mapping[str, str]
    status: int


@dataclass(frozen=True, slots=True)
class Answer:
    """`pieces`, where there are any, are the body, made only as far as somebody reads it."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: Callable[[], Iterable[bytes]] | None = None


Publish = Callable[["Request"], Answer]


@dataclass(frozen=True, slots=True)
class Request:
    address: str
    path: str
    headers: Mapping[str, str]
    now: datetime


class Newsroom:
    """Sites on 127.0.0.2 and up, each path answered by a function. `async with Newsroom(clock) as room:`"""

    def __init__(self, clock: MovableClock, sites: int = 1) -> None:
        self.clock = clock
        self.addresses = [f"127.0.0.{octet}" for octet in range(2, 2 + sites)]
        self.log: list[Asked] = []
        self.port = 0
        self._paths: dict[tuple[str, str], Publish] = {}
        self._runner: web.ServerRunner | None = None

    def origin(self, site: int = 0) -> str:
        return f"http://{self.addresses[site]}:{self.port}"

    def publish(self, path: str, answer: Answer | Publish, site: int = 0) -> str:
        """Answer a path from now on, `*` being all others; returns its address."""
        self._paths[self.addresses[site], path] = answer if callable(answer) else lambda _: answer
        return self.origin(site) + path

    def asked(self, path: str | None = None, site: int | None = None) -> list[Asked]:
        address = None if site is None else self.addresses[site]
        return [
            each
            for each in self.log
            if each.path != "/robots.txt" or path == "/robots.txt"
            if path in (None, each.path)
            if address in (None, each.address)
        ]

    async def __aenter__(self) -> Self:
        self._runner = web.ServerRunner(web.Server(self._handle))
        await self._runner.setup()
        for address in self.addresses:
            await web.TCPSite(self._runner, address, self.port).start()
            self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        started, now = time.time() * 1000, self.clock.now()
        assert request.transport is not None
        address: str = request.transport.get_extra_info("sockname")[0]
        publish = self._paths.get((address, request.path_qs)) or self._paths.get((address, "*"))
        headers = {name.lower(): value for name, value in request.headers.items()}
        answer = Answer(404) if publish is None else publish(Request(address, request.path_qs, headers, now))
        response: web.StreamResponse
        if answer.pieces is None:
            response = web.Response(status=answer.status, body=answer.body, headers=dict(answer.headers))
        else:
            response = web.StreamResponse(status=answer.status, headers=dict(answer.headers))
            await response.prepare(request)
            with suppress(ConnectionResetError):
                for piece in answer.pieces():
                    await response.write(piece)
        self.log.append(
            Asked(address, request.path_qs, now, started, time.time() * 1000, headers, answer.status)
        )
        return response


def settings_for(delay_ms: int = 20, **changes: Any) -> Settings:
    """Loopback may be crawled, quickly."""
    made = Settings(
        hosts=HostOptions(delay_ms=delay_ms),
        fetch=FetchOptions(allow_private=networks_of(["127.0.0.0/8"]), timeout_s=5),
        frontier=FrontierOptions(lease_s=30, hosts_per_claim=256),
    )
    return replace(made, **changes)


class Engine:
    """A worker's desk on a database, driven by hand. `async with Engine(dsn, clock) as engine:`"""

    def __init__(self, dsn: str, clock: MovableClock, settings: Settings | None = None) -> None:
        self.clock = clock
        self.settings = settings or settings_for()
        self._connections = [
            ReconnectingConnection(dsn, application_name=f"tests {name}")
            for name in ("claim", "flush", "ask")
        ]
        self.store = ChannelStore()
        self.context: WorkerContext

    async def __aenter__(self) -> Self:
        worker_id = await self.run(lambda db: WorkerRegistry().register(db, "tests", 1))
        # A host nobody has asked yet starts with this delay, not with the second that strangers get.
        delay_ms = self.settings.hosts.delay_ms
        await self.run(lambda db: db.execute(f"ALTER TABLE host ALTER delay_ms SET DEFAULT {delay_ms}"))
        _, flush_connection, lane_connection = self._connections
        self.context = worker_context_for(
            self.settings, worker_id, flush_connection=flush_connection, lane_connection=lane_connection
        )
        self.context.readers = KeptReaders(readability=self.settings.crawl.readability)
        self.context.handlers = {
            **self.context.handlers,
            **channel_handlers(FeedOptions(), self.clock),
        }
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.context.fetcher.close()
        self.context.readers.close()
        for connection in self._connections:
            await connection.close()

    async def run(self, work: Callable[[asyncpg.Connection], Awaitable[Any]]) -> Any:
        return await self._connections[0].run(work, patience_s=20)

    async def watch(
        self, name: str, url: str, *channels: NewChannel, mode: str = "feed", **policy: Any
    ) -> int:
        """A watched source with these channels, due at once; returns its number."""

        async def add(db: asyncpg.Connection) -> int:
            source_id: int = await db.fetchval(
                "INSERT INTO source (name, kind, mode, url, policy) VALUES ($1, 'watch', $2, $3, $4) "
                "RETURNING source_id",
                name,
                mode,
                normalize(url),
                policy,
            )
            await self.store.add(db, self.context.frontier, source_id, channels)
            return source_id

        found: int = await self.run(add)
        return found

    async def round(self) -> int:
        """Everything that is due now, and what it leads to; returns how many hosts were leased."""
        hosts = 0
        while leases := await self.run(lambda db: self.context.frontier.claim(db, 256)):
            hosts += len(leases)
            await asyncio.gather(*(work(lease, self.context) for lease in leases))
            await self.context.flusher.flush()
            wait_s = await self.next_due_in_s()
            if wait_s is not None and 0 < wait_s < 1:
                await asyncio.sleep(wait_s)
        return hosts

    async def poll(self, url: str) -> None:
        """One visit to a channel or page that is due, and not to the pages it leads to."""
        [lease] = await self.run(lambda db: self.context.frontier.claim(db, 1))
        lease.entries = [entry for entry in lease.entries if entry.url == url]
        assert lease.entries
        await work(lease, self.context)
        await self.context.flusher.flush()

    async def next_due_in_s(self) -> float | None:
        wait: float | None = await self.run(
            lambda db: db.fetchval(
                "SELECT extract(epoch FROM min(due_at) - now())::float8 FROM host WHERE due_at < 'infinity'"
            )
        )
        return wait

    async def skip(self, by: timedelta, *, history: bool = True) -> None:
        """Let time pass: what waits in the database has waited that much longer.

        Without `history`, what is only looked at later keeps its real times.
        """

        async def shift(db: asyncpg.Connection) -> None:
            for statement in _QUEUE + (_HISTORY if history else ()):
                await db.execute(statement, by)

        await self.run(shift)
        self.clock.skipped += by

    async def channel(self, url: str) -> Any:
        """The row of a channel with its next poll in seconds."""
        key = key_of(url)
        return await self.run(
            lambda db: db.fetchrow(
                "SELECT c.*, extract(epoch FROM u.next_fetch_at - now())::float8 AS next_in_s, u.reason "
                "FROM channel c LEFT JOIN url u USING (host_id, url_hash) "
                "WHERE c.host_id = $1 AND c.url_hash = $2",
                key.host_id,
                key.hash,
            )
        )

    async def found(self) -> list[tuple[str, str, bool]]:
        """Every channel: its address, how it was found, and whether it has yet to prove itself."""
        rows = await self.rows("SELECT url, found_by, is_candidate FROM channel ORDER BY url")
        return [tuple(row) for row in rows]

    async def rows(self, query: str, *arguments: Any) -> list[Any]:
        found: list[Any] = await self.run(lambda db: db.fetch(query, *arguments))
        return found


def feed(url: str) -> NewChannel:
    return NewChannel(url, EntryKind.FEED)


def sitemap_at(url: str) -> NewChannel:
    return NewChannel(url, EntryKind.SITEMAP)
