"""The broker: all streams of one server process, their limit, their heartbeats and their end."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine
from functools import partial
from typing import Any

from outrider.db.pooled import PooledConnections
from outrider.errors import Unavailable
from outrider.events.notify import CHANNEL as EVENTS
from outrider.events.notify import EventNotifier
from outrider.events.position import Position
from outrider.logs import get_logger
from outrider.run_logs.store import CHANNEL as LOGS
from outrider.web.context import ServerContext
from outrider.web.streams.client import StreamClient
from outrider.web.streams.event_feed import EventFeed
from outrider.web.streams.listening import PoolListener
from outrider.web.streams.log_streams import LogStart, LogStreams
from outrider.web.streams.login_checks import LoginChecks
from outrider.web.streams.next_runs import NextRuns
from outrider.web.streams.response import EventStream
from outrider.web.streams.status_feed import MetricsLook, StatusFeed, health_look, position_now

log = get_logger()

HEARTBEAT_S = 15.0  # SSE-02
TICK_S = 1.0
READY_S = 5.0
RESTART_S = 2.0
CLOSE_S = 5.0
MOST_READS = 4  # of clients that catch up, at once
HEALTH_S = 5.0
METRICS_S = 2.0

_PART = "streams"


class Streams:
    """Its tasks begin with the first stream. `close` tells every client, and ends the tasks."""

    def __init__(self, context: ServerContext, *, heartbeat_s: float = HEARTBEAT_S) -> None:
        pool = context.pool
        self._most = context.settings.web.stream_clients
        self._heartbeat_s = heartbeat_s
        self._clients: set[StreamClient] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._notifying: asyncio.Task[None] | None = None
        self._is_closing = False
        self._is_empty = asyncio.Event()
        self._is_empty.set()
        self._reads = PooledConnections(pool, most=MOST_READS)
        follows = PooledConnections(pool, most=MOST_READS)
        self._listener = PoolListener(pool, (EVENTS, LOGS))
        self._notifier = EventNotifier(follows)
        self._next_runs = NextRuns(follows)
        self._events = EventFeed(follows, self._listener.on(EVENTS))
        self._logs = LogStreams(context.settings, self._reads, self._listener.on(LOGS), self._next_runs)
        identity = context.parts.get("identity")  # tests of single features have none
        self._logins = identity and LoginChecks(identity.authenticator, follows, self._clients)
        self._health = StatusFeed("health", health_look(follows), HEALTH_S)
        self._metrics = StatusFeed("metrics", MetricsLook(follows), METRICS_S)

    @property
    def clients(self) -> int:
        return len(self._clients)

    @property
    def logs(self) -> LogStreams:
        return self._logs

    async def events(
        self, stream: str, after: Position | None, wanted: Collection[str] | None, *, is_lost: bool = False
    ) -> EventStream:
        """A stream of the event log; raises Unavailable while the log cannot be read."""
        self._start()
        try:
            async with asyncio.timeout(READY_S):
                await self._events.ready.wait()
        except TimeoutError:
            raise Unavailable("the event log cannot be read now: try again in a moment") from None

        def chunks(client: StreamClient) -> AsyncGenerator[bytes, None]:
            return self._events.chunks(stream, client, after, is_lost=is_lost)

        return EventStream(self, StreamClient(wanted), chunks)

    async def health(self) -> EventStream:
        return await self._status(self._health)

    async def metrics(self) -> EventStream:
        return await self._status(self._metrics)

    def log_of_run(self, run_id: int, start: LogStart) -> EventStream:
        self._start()
        return EventStream(self, StreamClient(), partial(self._logs.of_run, run_id=run_id, start=start))

    def log_of_job(self, job_id: int, start: LogStart) -> EventStream:
        self._start()
        return EventStream(self, StreamClient(), partial(self._logs.of_job, job_id=job_id, start=start))

    def changed(self) -> None:
        """A request has committed a change: wake the readers of the event log in all processes."""
        if self._notifying is None and not self._is_closing:
            self._notifying = asyncio.create_task(self._for_ever("notify", self._notifier.run))
        self._notifier.written()

    def add(self, client: StreamClient) -> bool:
        """Admit a client; False at the limit, and while the server stops."""
        if self._is_closing or len(self._clients) >= self._most:
            return False
        client.sent_at = asyncio.get_running_loop().time()
        self._clients.add(client)
        self._is_empty.clear()
        return True

    def remove(self, client: StreamClient) -> None:
        self._clients.discard(client)
        if not self._clients:
            self._is_empty.set()

    async def close(self, timeout_s: float = CLOSE_S) -> None:
        """Send every client the closing event and wait until all are gone, but not longer than this."""
        self._is_closing = True
        for client in tuple(self._clients):
            client.close()
        try:
            async with asyncio.timeout(timeout_s):
                await self._is_empty.wait()
        except TimeoutError:
            for client in tuple(self._clients):
                client.drop()
        tasks = [*self._tasks, *([] if self._notifying is None else [self._notifying])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks, self._notifying = [], None

    async def _status(self, feed: StatusFeed) -> EventStream:
        self._start()
        position = await position_now(self._reads)
        return EventStream(self, StreamClient(), partial(feed.chunks, position=position))

    def _start(self) -> None:
        if self._tasks or self._is_closing:
            return
        for name, run in (
            ("listen", self._listener.run),
            ("events", self._events.run),
            ("next runs", self._next_runs.run),
            ("health", self._health.run),
            ("metrics", self._metrics.run),
            ("heartbeats", self._beat),
            *([("logins", self._logins.run)] if self._logins else []),
        ):
            self._tasks.append(asyncio.create_task(self._for_ever(name, run)))

    async def _for_ever(self, name: str, run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """A task that fails is started again: the other streams go on."""
        while True:
            try:
                await run()
            except Exception:
                log.exception("a task of the streams failed, it starts again", task=name)
            await asyncio.sleep(RESTART_S)

    async def _beat(self) -> None:
        """Heartbeats for clients that got nothing for a while."""
        while True:
            await asyncio.sleep(min(TICK_S, self._heartbeat_s))
            now = asyncio.get_running_loop().time()
            for client in self._clients:
                if now - client.sent_at >= self._heartbeat_s - TICK_S:
                    client.beat()


def streams_of(context: ServerContext) -> Streams:
    """The streams of this server process. The server calls `close` when it begins to stop."""
    streams: Streams | None = context.parts.get(_PART)
    if streams is None:
        streams = context.parts[_PART] = Streams(context)
    return streams
